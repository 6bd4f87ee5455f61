/** Writes the rows of a file through the same schemas and services as the API, in batches. */

import type { Db } from '../../../db/database.ts';
import { isRetryable, translateDatabaseError } from '../../../db/errors.ts';
import { isUuid } from '../../../db/ids.ts';
import type { TenantModel } from '../../../db/models/base.ts';
import { type FieldError, type RowError, ServiceError } from '../../../domain/errors.ts';
import type { TableConventions } from '../../../domain/records/tables/conventions.ts';
import { bodyValidator } from '../../platform/validation/validate.ts';
import type { HookScope, ResourceDeclaration } from '../resources/declaration.ts';
import { createSchema, patchSchema } from '../resources/fields.ts';
import { changeOne, createOne } from '../resources/rows.ts';
import { requestBody } from './body.ts';
import { type Columns, type ImportMode, naturalKey } from './columns.ts';
import { ExistingRecords } from './existing-records.ts';
import { type PreparedRow, prepareRow, Repetitions } from './prepare.ts';
import { resolveOwn, resolveReferences } from './references.ts';
import { addReports, type ImportReport, NOTHING } from './report.ts';
import type { SourceRow } from './source.ts';

export interface ImportPlan {
  readonly declaration: ResourceDeclaration;
  readonly mode: ImportMode;
  readonly columns: Columns;
  readonly conventions: TableConventions;
  /** Whether lines may have fewer cells than the header. */
  readonly ragged: boolean;
}

/** Effect of a row: it creates a record or changes an existing one. */
interface Step {
  readonly row: PreparedRow;
  readonly current: TenantModel | undefined;
}

/** Outcome of a good row. */
type Outcome = 'created' | 'updated' | 'unchanged';
type Counts = Record<Outcome, number>;

export class Importer {
  readonly #plan: ImportPlan;
  readonly #create: (body: unknown) => void;
  readonly #patch: (body: unknown) => void;
  readonly #key: readonly string[];
  readonly #repetitions = new Repetitions();

  constructor(plan: ImportPlan) {
    this.#plan = plan;
    this.#create = bodyValidator(createSchema(plan.declaration));
    this.#patch = bodyValidator(patchSchema(plan.declaration), 'change');
    this.#key = naturalKey(plan.declaration);
  }

  /** Registers rows that an earlier run has processed. */
  skip(rows: readonly SourceRow[]): void {
    this.#prepare(rows);
  }

  /**
   * Imports rows within the transaction. Good ones are written, bad ones leave nothing behind.
   * @throws errors that are not the fault of a row: database down, deadlock
   */
  async run(given: HookScope, rows: readonly SourceRow[]): Promise<ImportReport> {
    const scope = { ...given, isImport: true };
    const { declaration, columns } = this.#plan;
    const prepared = this.#prepare(rows);
    await declaration.lock?.(scope);
    await resolveReferences(scope, columns, prepared, declaration.model.tableName);
    const steps = await this.#match(scope.trx, prepared);
    const done = await this.#writeAll(scope, steps);
    const errors = prepared.flatMap(({ line, faults }) => faults.map((fault): RowError => ({ line, ...fault })));
    return addReports(NOTHING, { rows: rows.length, ...done, errors });
  }

  #prepare(rows: readonly SourceRow[]): PreparedRow[] {
    const { columns, conventions, ragged } = this.#plan;
    return rows.map((source) => {
      const row = prepareRow(columns, source, conventions, ragged);
      const { id } = row.values;
      const keys = this.#key.map((name) => row.values[name] ?? null);
      this.#noteOnce(row, 'id', id);
      if (keys[this.#key.indexOf('code')] != null) this.#noteOnce(row, 'code', JSON.stringify(keys));
      return row;
    });
  }

  #noteOnce(row: PreparedRow, name: string, value: unknown): void {
    if (typeof value !== 'string') return;
    const first = this.#repetitions.note(`${name} ${value}`, row.line);
    if (first === undefined) return;
    row.faults.push({ column: this.#fileHeader(name), code: 'duplicate', message: `is already on line ${first}` });
  }

  /** Finds and locks the records of the rows, in a fixed order, and decides what to do with each row. */
  async #match(trx: Db, prepared: readonly PreparedRow[]): Promise<Step[]> {
    const { declaration, mode } = this.#plan;
    const good = prepared.filter(({ faults }) => faults.length === 0);
    const ids = texts(good, 'id').filter(isUuid);
    const codes = this.#key.includes('code') ? texts(good, 'code') : [];
    const existing =
      ids.length + codes.length === 0
        ? []
        : await declaration.model
            .query(trx)
            .where((either) => {
              either.whereRaw('id = any(?::uuid[])', [ids]);
              if (codes.length > 0) either.orWhereRaw('code = any(?::text[])', [codes]);
            })
            .orderBy('id')
            .forUpdate();
    const index = new ExistingRecords(existing as TenantModel[], this.#key);
    return good.flatMap((row): Step[] => {
      const found = index.matching(row);
      if (found.length > 1) {
        this.#fault(row, 'code', 'ambiguous', 'is the code of several records; give the id');
      } else if (found.length === 1 && mode === 'create') {
        this.#fault(row, found[0]?.id === row.values.id ? 'id' : 'code', 'duplicate', 'exists already');
      } else if (found.length === 0 && mode === 'update') {
        this.#fault(row, row.values.id ? 'id' : (this.#key[0] ?? 'id'), 'not_found', 'does not match any record');
      } else if (found[0] !== undefined && this.#repetitions.note(`row ${found[0].id}`, row.line) !== undefined) {
        this.#fault(row, 'code', 'duplicate', 'is the same record as a line above');
      }
      return row.faults.length > 0 ? [] : [{ row, current: found[0] }];
    });
  }

  /** Writes all rows at once. If one is bad, writes each on its own to identify the bad ones and keep the others. */
  async #writeAll(scope: HookScope, steps: readonly Step[]): Promise<Counts> {
    const valid = steps.filter((step) => this.#check(step));
    try {
      return await scope.trx.transaction(async (trx) => {
        const outcomes: Outcome[] = [];
        for (const step of valid) outcomes.push(await this.#write({ ...scope, trx }, step));
        return count(outcomes);
      });
    } catch (error) {
      rowRefusal(error);
    }
    const outcomes: Outcome[] = [];
    for (const step of valid) {
      try {
        outcomes.push(await scope.trx.transaction((trx) => this.#write({ ...scope, trx }, step)));
      } catch (error) {
        this.#refuse(step.row, rowRefusal(error));
      }
    }
    return count(outcomes);
  }

  async #write(scope: HookScope, { row, current }: Step): Promise<Outcome> {
    const { declaration, columns } = this.#plan;
    if (row.later.length > 0) {
      await resolveOwn(scope, columns, row, declaration.model.tableName);
      row.later.length = 0;
    }
    if (row.faults.length > 0) throw new ServiceError('validation_failed', 'refers to a record that does not exist');
    const body = requestBody(columns, row, current);
    if (current === undefined) {
      await createOne(declaration, scope, body);
      return 'created';
    }
    const { version } = await changeOne(declaration, scope, current, body);
    return version === current.version ? 'unchanged' : 'updated';
  }

  /** Whether the API would accept the row's body; adds its faults to the row. */
  #check({ row, current }: Step): boolean {
    const body = requestBody(this.#plan.columns, row, current);
    // References to rows above are still codes, not ids.
    const checked = Object.fromEntries(Object.entries(body).filter(([name]) => !row.later.includes(name)));
    try {
      if (current === undefined) this.#create({ ...body, ...checked });
      else this.#patch(checked);
    } catch (error) {
      this.#refuse(row, rowRefusal(error));
    }
    return row.faults.length === 0;
  }

  #refuse(row: PreparedRow, refusal: ServiceError): void {
    if (row.faults.length > 0) return;
    const errors: readonly FieldError[] =
      refusal.errors.length > 0 ? refusal.errors : [{ pointer: '', code: refusal.code, message: refusal.message }];
    for (const { pointer, code, message } of errors) {
      const name = pointer.split('/')[1] ?? '';
      row.faults.push({ column: name === '' ? null : this.#fileHeader(name), code, message });
    }
  }

  #fault(row: PreparedRow, name: string, code: string, message: string): void {
    row.faults.push({ column: this.#fileHeader(name), code, message });
  }

  /** Title of a member's column in the file. */
  #fileHeader(name: string): string {
    return this.#plan.columns.find((column) => column?.name === name)?.header ?? name;
  }
}

function texts(rows: readonly PreparedRow[], name: string): string[] {
  return rows.flatMap(({ values }) => (typeof values[name] === 'string' ? [values[name]] : []));
}

function count(outcomes: readonly Outcome[]): Counts {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  return counts;
}

/** Converts an error to the refusal of a row. @throws errors that concern more than the row */
function rowRefusal(error: unknown): ServiceError {
  const refusal = translateDatabaseError(error);
  if (isRetryable(error) || !(refusal instanceof ServiceError) || refusal.status >= 500) throw error;
  return refusal;
}
