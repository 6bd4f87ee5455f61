/** Plugins: programs of others that a company lets work on its data. */
import { bytes, instant, json, list, optional, text, uuid } from './columns.ts';
import { versionedTable } from './table.ts';

/** A custom field as a manifest asks for it: as POST /api/custom-fields takes it. */
export type ManifestField = Readonly<Record<string, unknown>> & {
  readonly table_name: string;
  readonly field_name: string;
};

/** What a plugin does when it is called, or tells when something happens, with the schema of the data that go with it. */
export interface Offer {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of an object, of the keywords that `domain/plugins/json-schemas.ts` lets through. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

export class Plugin extends versionedTable('plugins', {
  name: text(),
  /** The version of the plugin itself, such as 1.4.0. */
  release: text(),
  description: optional(text()),
  customFields: json<readonly ManifestField[]>(),
  /** Where it is called; null for one that only calls. */
  baseUrl: optional(text()),
  hooks: json<readonly Offer[]>(),
  actions: json<readonly Offer[]>(),
  permissions: list<readonly string[]>(),
  status: text<'enabled' | 'disabled'>(),
  tokenHash: bytes(),
  tokenRotatedAt: optional(instant()),
  /** Signs what it gets. */
  secretEncrypted: optional(bytes()),
  retiredSecretsEncrypted: optional(bytes()),
  secretRotatedAt: optional(instant()),
  /** When the company was last told that it fails; neither a version nor audited. */
  errorToldAt: optional(instant()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Plugin';
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = [
    'tenantId',
    'tokenHash',
    'secretEncrypted',
    'retiredSecretsEncrypted',
    'errorToldAt',
  ];
}
