/** Plugins: programs of others that a company lets work on its data. */
import { bytes, instant, json, list, optional, text, uuid } from './columns.ts';
import { versionedTable } from './table.ts';

/** A custom field as a manifest asks for it: as POST /api/custom-fields takes it. */
export type ManifestField = Readonly<Record<string, unknown>> & {
  readonly table_name: string;
  readonly field_name: string;
};

export class Plugin extends versionedTable('plugins', {
  name: text(),
  /** The version of the plugin itself, such as 1.4.0. */
  release: text(),
  description: optional(text()),
  customFields: json<readonly ManifestField[]>(),
  permissions: list<readonly string[]>(),
  status: text<'enabled' | 'disabled'>(),
  tokenHash: bytes(),
  tokenRotatedAt: optional(instant()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Plugin';
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = ['tenantId', 'tokenHash'];
}
