/** Common to all models: camelCase members over snake_case columns, and the JSON shown to clients and the audit log. */
import { Model, snakeCaseMappers } from 'objection';
import { type Decimal, toNumber } from '../../domain/money.ts';
import type { PrivateFields, ReadAccess } from '../../domain/permissions.ts';
import { camelCase } from '../../domain/words.ts';
import { type RowForm, rowForm } from '../row-forms.ts';
import { type Columns, columnName } from './columns.ts';

/** A row as clients see it: without the tenant, decimals as JSON numbers. */
export type JsonRow = Record<string, unknown>;

export abstract class TenantModel extends Model {
  /** The audit log's name for the entity, for example BusinessPartner. */
  static entityType: string;
  /** Who may read its records, wherever they are shown (decision 0230). Undeclared means nobody. */
  static access: ReadAccess | undefined;
  /** Members that need a further permission. */
  static privateFields: PrivateFields = {};
  /** Members shown as null: those of `privateFields` that the reader may not see (`services/platform/visibility/`). */
  static concealed: readonly string[] = [];
  /** Members that hold exact decimals. */
  static decimals: readonly string[] = [];
  static override columnNameMappers = snakeCaseMappers();

  declare id: string;
  declare tenantId: string;
  declare version: number;
  declare createdAt: string;
  declare updatedAt: string;

  /** Whether its rows belong to no company; only the system role writes them. */
  static isGlobal = false;
  /** Naming of members in the API; columns are always snake_case. */
  static naming: 'camelCase' | 'snake_case' = 'camelCase';
  /** Members that never leave the database layer. */
  static hidden: readonly string[] = ['tenantId'];

  /**
   * The row's public form. Members prefixed `custom_` come from the `custom` column.
   * @param row by members or by columns
   */
  static toJson(row: JsonRow): JsonRow {
    const { template, members } = cachedPlan(this, Object.keys(row));
    const shown: JsonRow = { ...template };
    for (const { key, name, kind } of members) {
      const value = row[key];
      if (value === undefined) delete shown[name];
      else if (kind === 'exact') shown[name] = value === null ? null : toNumber(value as Decimal);
      else if (kind === 'plain') shown[name] = value;
      else if (kind === 'concealed') shown[name] = null;
      else Object.assign(shown, customMembers(value as JsonRow | null));
    }
    return shown;
  }

  /** The row's form in the audit log, which more people read, and for longer. */
  static toAudit(row: JsonRow): JsonRow {
    return this.maskSecrets(this.toJson(row));
  }

  /** Masks the secrets in a record of the audit log, old ones included. */
  static maskSecrets(values: JsonRow): JsonRow {
    return values;
  }

  /** A member's name as clients see it. */
  static publicName(member: string): string {
    return this.naming === 'camelCase' ? member : columnName(member);
  }
}

/** Public form of a member. */
interface Shown {
  readonly key: string;
  readonly name: string;
  readonly kind: 'plain' | 'exact' | 'custom' | 'concealed' | 'hidden';
}

/** Public form of rows that have the same keys. */
interface Plan {
  readonly keys: readonly string[];
  readonly members: readonly Shown[];
  /** A row with all names, copied for each row: far faster than adding the names one by one. */
  readonly template: JsonRow;
}

/** Plans by model, cached because lists show thousands of rows. There are few per model, since few statements read its rows. */
const plans = new WeakMap<object, Plan[]>();
const MAX_PLANS = 20;

function cachedPlan(model: typeof TenantModel, keys: readonly string[]): Plan {
  const known = plans.get(model) ?? [];
  const found = known.find((plan) => isSame(plan.keys, keys));
  if (found !== undefined) return found;
  const plan = makePlan(model, keys);
  plans.set(model, [plan, ...known].slice(0, MAX_PLANS));
  return plan;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((key, index) => key === others[index]);
}

function makePlan(model: typeof TenantModel, keys: readonly string[]): Plan {
  const members = keys
    .map((key): Shown => {
      const member = camelCase(key);
      return { key, name: model.publicName(member), kind: memberKind(model, member) };
    })
    .filter(({ kind }) => kind !== 'hidden');
  const names = members.filter(({ kind }) => kind !== 'custom').map(({ name }) => name);
  return { keys, members, template: JSON.parse(`{${names.map((name) => `"${name}":null`).join(',')}}`) as JsonRow };
}

function memberKind(
  { hidden, concealed, decimals }: Pick<typeof TenantModel, 'hidden' | 'concealed' | 'decimals'>,
  member: string,
): Shown['kind'] {
  if (hidden.includes(member)) return 'hidden';
  if (concealed.includes(member)) return 'concealed';
  if (member === 'custom') return 'custom';
  return decimals.includes(member) ? 'exact' : 'plain';
}

function customMembers(values: JsonRow | null): JsonRow {
  return Object.fromEntries(Object.entries(values ?? {}).map(([field, value]) => [`custom_${field}`, value]));
}

const forms = new WeakMap<object, RowForm>();

/** A row form that builds the result of `toJson` directly from PostgreSQL's texts. */
export function shownForm<M extends TenantModel>(model: TenantModelClass<M>): RowForm<JsonRow> {
  const known = forms.get(model);
  if (known !== undefined) return known as RowForm<JsonRow>;
  const form = rowForm((column, parse) => {
    const member = camelCase(column);
    const name = model.publicName(member);
    switch (memberKind(model, member)) {
      case 'hidden':
        return null;
      case 'exact':
        return { name, parse: (text) => toNumber(text as Decimal) };
      case 'custom':
        return { name, parse: (text) => customMembers(JSON.parse(text) as JsonRow), isSpread: true };
      case 'concealed':
        return { name, parse: () => null };
      case 'plain':
        return { name, parse };
    }
  });
  forms.set(model, form);
  return form as RowForm<JsonRow>;
}

/** The class of a tenant model, as used by the audited write and the declarations of resources. */
export type TenantModelClass<M extends TenantModel = TenantModel> = {
  new (): M;
  readonly tableName: string;
  readonly columns: Columns;
  readonly isGlobal: boolean;
  readonly entityType: string;
  readonly access: ReadAccess | undefined;
  readonly privateFields: PrivateFields;
  readonly concealed: readonly string[];
  readonly decimals: readonly string[];
  readonly hidden: readonly string[];
  toJson(row: object): JsonRow;
  toAudit(row: object): JsonRow;
  maskSecrets(values: JsonRow): JsonRow;
  /** A member's name as clients see it. */
  publicName(member: string): string;
  query: typeof TenantModel.query;
};

/** Builds a model from a database row (snake_case). */
export function fromRow<M extends TenantModel>(model: TenantModelClass<M>, row: JsonRow): M {
  return (model as unknown as { fromDatabaseJson(json: JsonRow): M }).fromDatabaseJson(row);
}
