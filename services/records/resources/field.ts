/** A field of a master-data resource, as declared. */
import type { TSchema } from 'typebox';
import type { Resource } from '../../../domain/permissions.ts';

export interface ResourceField {
  /** Schema of the value, without null. */
  readonly schema: TSchema;
  /** Whether it is required at creation. */
  readonly required?: boolean;
  /** Default value. A field without default is nullable, unless it is `required` or `filled`. */
  readonly default?: unknown;
  /** Whether the service fills it in if it is not given, so that it is never null (codes, countries). */
  readonly filled?: boolean;
  /** Value that null in a change restores, where the service fills it in at creation. */
  readonly restored?: unknown;
  /** When clients may set it (default `always`). */
  readonly write?: 'always' | 'create' | 'never';
  /** Whether the search `q` includes it. */
  readonly searchable?: boolean;
  /** Whether it is stored in another table (`ResourceDeclaration.apart`). */
  readonly apart?: boolean;
  /** Permission required to see and set it, in addition to that for the resource; without it, it is left out. */
  readonly guarded?: Resource;
  /** Table that the id refers to, and whether the referenced row must be active. */
  readonly reference?: { readonly table: string; readonly mustBeActive?: boolean };
}

export type ResourceFields = Readonly<Record<string, ResourceField>>;
export type Row = Record<string, unknown>;
