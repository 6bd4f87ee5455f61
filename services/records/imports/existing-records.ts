/** Finds the existing records that the rows of a file refer to. */
import type { TenantModel } from '../../../db/models/base.ts';
import type { Row } from '../resources/field.ts';
import { columns as toColumns } from '../resources/find.ts';
import type { PreparedRow } from './prepare.ts';

/** Existing records by id and by code. */
export class ExistingRecords {
  readonly #byId = new Map<string, TenantModel>();
  readonly #byCode = new Map<string, TenantModel[]>();
  readonly #key: readonly string[];

  /** @param key members that are unique in combination */
  constructor(records: readonly TenantModel[], key: readonly string[]) {
    this.#key = key;
    for (const record of records) {
      this.#byId.set(record.id, record);
      const code = String(toColumns({ ...record }).code ?? '');
      this.#byCode.set(code, [...(this.#byCode.get(code) ?? []), record]);
    }
  }

  /** Finds the record with the row's id, else all with its code and the given members of the key. */
  matching({ values }: PreparedRow): readonly TenantModel[] {
    const byId = typeof values.id === 'string' ? this.#byId.get(values.id.toLowerCase()) : undefined;
    if (byId !== undefined) return [byId];
    const candidates = typeof values.code === 'string' ? (this.#byCode.get(values.code) ?? []) : [];
    const given = this.#key.filter((name) => name in values);
    return candidates.filter((record) =>
      given.every((name) => ((record as unknown as Row)[name] ?? null) === values[name]),
    );
  }
}
