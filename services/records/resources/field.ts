/** A field of a master-data resource, as declared. */
import type { TSchema } from 'typebox';
import type { Resource } from '../../../domain/permissions.ts';

export interface ResourceField {
  /** The value's schema, without null. */
  readonly schema: TSchema;
  /** Required at creation. */
  readonly required?: boolean;
  /** The value when none is given; a field with neither default nor `required` is nullable. */
  readonly default?: unknown;
  /** Never null, because the service fills it in when it is not given (codes, countries). */
  readonly filled?: boolean;
  /** When clients may set it (default `always`). */
  readonly write?: 'always' | 'create' | 'never';
  /** Whether `q` searches it. */
  readonly searchable?: boolean;
  /** Kept in a row of its own (`ResourceDeclaration.apart`). */
  readonly apart?: boolean;
  /** Permission required to see and set it, in addition to that of the resource. */
  readonly guarded?: Resource;
  /** The table that the id refers to, and whether the row there must be active. */
  readonly reference?: { readonly table: string; readonly mustBeActive?: boolean };
}

export type ResourceFields = Readonly<Record<string, ResourceField>>;
export type Row = Record<string, unknown>;
