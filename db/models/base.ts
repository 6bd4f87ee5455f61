/** Common to all models: camelCase members over snake_case columns, and the JSON shown to clients and the audit log. */
import { Model, snakeCaseMappers } from 'objection';
import { type Decimal, toNumber } from '../../domain/money.ts';
import { type Columns, columnName } from './columns.ts';

/** A row as clients see it: without the tenant, decimals as JSON numbers. */
export type JsonRow = Record<string, unknown>;

export abstract class TenantModel extends Model {
  /** The audit log's name for the entity, for example BusinessPartner. */
  static entityType: string;
  /** Members that hold exact decimals. */
  static decimals: readonly string[] = [];
  static override columnNameMappers = snakeCaseMappers();

  declare id: string;
  declare tenantId: string;
  declare version: number;
  declare createdAt: string;
  declare updatedAt: string;

  /** Its rows belong to no company: only the system role writes them. */
  static isGlobal = false;
  /** How clients see the names of members; columns are snake_case always. */
  static naming: 'camelCase' | 'snake_case' = 'camelCase';
  /** Members that never leave the database layer. */
  static hidden: readonly string[] = ['tenantId'];

  /** The row's public form. Members prefixed `custom_` come from the `custom` column. */
  static toJson(row: JsonRow): JsonRow {
    const shown: JsonRow = {};
    for (const [member, value] of Object.entries(row)) {
      if (this.hidden.includes(member) || value === undefined) continue;
      if (member === 'custom') {
        for (const [field, entry] of Object.entries((value ?? {}) as JsonRow)) shown[`custom_${field}`] = entry;
      } else {
        shown[this.publicName(member)] =
          value !== null && this.decimals.includes(member) ? toNumber(value as Decimal) : value;
      }
    }
    return shown;
  }

  /** A member's name as clients see it. */
  static publicName(member: string): string {
    return this.naming === 'camelCase' ? member : columnName(member);
  }
}

/** The class of a tenant model, as the audited write and the resource declarations take it. */
export type TenantModelClass<M extends TenantModel = TenantModel> = {
  new (): M;
  readonly tableName: string;
  readonly columns: Columns;
  readonly isGlobal: boolean;
  readonly entityType: string;
  readonly decimals: readonly string[];
  readonly hidden: readonly string[];
  toJson(row: object): JsonRow;
  /** A member's name as clients see it. */
  publicName(member: string): string;
  query: typeof TenantModel.query;
};

/** A model of a row as the database gives it (snake_case). */
export function fromRow<M extends TenantModel>(model: TenantModelClass<M>, row: JsonRow): M {
  return (model as unknown as { fromDatabaseJson(json: JsonRow): M }).fromDatabaseJson(row);
}
