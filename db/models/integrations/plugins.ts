/** Plugins: third-party programs that a company allows to work on its data. */
import { maskedUrl } from '../../../domain/integrations/webhooks/urls.ts';
import type { JsonRow } from '../base.ts';
import { bytes, instant, json, list, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

/** A custom field in a manifest, in the form that POST /api/custom-fields takes. */
export type ManifestField = Readonly<Record<string, unknown>> & {
  readonly table_name: string;
  readonly field_name: string;
};

/** An action or hook that a plugin offers, with the schema of its data. */
export interface Offer {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of an object, with the keywords that `domain/integrations/plugins/json-schemas.ts` allows. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

export class Plugin extends versionedTable('plugins', {
  name: text(),
  /** The version of the plugin itself, such as 1.4.0. */
  release: text(),
  description: optional(text()),
  customFields: json<readonly ManifestField[]>(),
  /** Address of its actions; null for a plugin that only calls. */
  baseUrl: optional(text()),
  hooks: json<readonly Offer[]>(),
  actions: json<readonly Offer[]>(),
  permissions: list<readonly string[]>(),
  status: text<'enabled' | 'disabled'>(),
  tokenHash: bytes(),
  tokenRotatedAt: optional(instant()),
  /** Signs the requests to it. */
  secretEncrypted: optional(bytes()),
  retiredSecretsEncrypted: optional(bytes()),
  secretRotatedAt: optional(instant()),
  /** Time at which the company was last notified of a failure; changes without a version or audit record. */
  errorToldAt: optional(instant()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Plugin';
  static override access = 'plugins:read' as const;
  static override naming = 'snake_case' as const;
  static override hidden: readonly string[] = [
    'tenantId',
    'tokenHash',
    'secretEncrypted',
    'retiredSecretsEncrypted',
    'errorToldAt',
  ];

  static override maskSecrets(values: JsonRow): JsonRow {
    return typeof values.base_url === 'string' ? { ...values, base_url: maskedUrl(values.base_url) } : values;
  }
}
