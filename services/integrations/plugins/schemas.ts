/** Schemas of plugin manifests. */
import { Type } from 'typebox';
import { type Input, label, nullable, text } from '../../platform/validation/schemas.ts';
import { customFields } from '../../records/master-data/custom-fields.ts';
import { createSchema } from '../../records/resources/fields.ts';

const CLOSED = { additionalProperties: false } as const;

/** Semantic Versioning 2.0.0, without build metadata. */
const VERSION = '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z.-]+)?$';

/** Form of names, which are part of addresses. */
const NAME = '^[a-z][a-z0-9_.-]{0,59}$';

export const OfferName = text({ max: 60, pattern: NAME, description: 'Such as print-label' });

/** Schema of a hook or action. @param data the data that its own schema describes */
function offer(title: string, data: string) {
  return Type.Object(
    {
      name: OfferName,
      description: Type.Optional(text({ max: 500 })),
      schema: Type.Optional(
        Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), {
          maxProperties: 30,
          description: `JSON Schema of ${data}, an object; without pattern and $ref. Any object when left out`,
        }),
      ),
    },
    { ...CLOSED, title },
  );
}

export const manifest = {
  name: label({ description: 'Unique in the company; upgrades do not change it' }),
  version: text({ max: 40, pattern: VERSION, description: 'The version of the plugin, such as 1.4.0' }),
  description: nullable(text({ max: 1000, description: 'Its purpose' })),
  base_url: nullable(
    text({
      max: 1000,
      description: 'Base address of its actions: POST <base_url>/actions/<name>. Not in a private network',
    }),
  ),
  hooks: Type.Array(offer('PluginHook', 'what it sends'), {
    maxItems: 50,
    description: 'Events of the plugin that can trigger rules',
  }),
  actions: Type.Array(offer('PluginAction', 'its parameters'), {
    maxItems: 50,
    description: 'Actions of the plugin that rules can execute',
  }),
  permissions: Type.Array(text({ max: 60 }), {
    maxItems: 200,
    uniqueItems: true,
    description: 'Permissions of its token, such as items:read, which the installation grants',
  }),
  custom_fields: Type.Array(fieldSchema(), {
    maxItems: 50,
    description: 'Its custom fields, in the form of POST /api/custom-fields. Only the plugin can change them',
  }),
};

export const PluginCreate = Type.Object(
  {
    name: manifest.name,
    version: manifest.version,
    description: Type.Optional(manifest.description),
    base_url: Type.Optional(manifest.base_url),
    hooks: Type.Optional(manifest.hooks),
    actions: Type.Optional(manifest.actions),
    permissions: Type.Optional(manifest.permissions),
    custom_fields: Type.Optional(manifest.custom_fields),
  },
  { ...CLOSED, title: 'PluginManifest' },
);

export const PluginChange = Type.Partial(Type.Omit(PluginCreate, ['name']), CLOSED);

export type Manifest = Input<typeof PluginCreate>;
export type ManifestChange = Input<typeof PluginChange>;

/** Schema of a plugin's custom field, without the member for its owner. */
function fieldSchema() {
  const { plugin_id: _, ...properties } = createSchema(customFields).properties;
  return Type.Object(properties, { ...CLOSED, title: 'PluginField' });
}
