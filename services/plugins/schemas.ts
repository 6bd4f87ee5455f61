/** What a plugin says of itself: its manifest. */
import { Type } from 'typebox';
import { customFields } from '../master-data/custom-fields.ts';
import { createSchema } from '../resources/fields.ts';
import { type Input, label, nullable, text } from '../validation/schemas.ts';

const CLOSED = { additionalProperties: false } as const;

/** Semantic Versioning 2.0.0, without what follows a plus. */
const VERSION = '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z.-]+)?$';

/** What its names may be: they stand in addresses. */
const NAME = '^[a-z][a-z0-9_.-]{0,59}$';

export const OfferName = text({ max: 60, pattern: NAME, description: 'Such as print-label' });

/** A hook or an action. @param data what its schema is about */
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
  name: label({ description: 'Unique in the company; it stays when the plugin is upgraded' }),
  version: text({ max: 40, pattern: VERSION, description: 'The version of the plugin, such as 1.4.0' }),
  description: nullable(text({ max: 1000, description: 'What it does' })),
  base_url: nullable(
    text({
      max: 1000,
      description: 'Where its actions are asked for: POST <base_url>/actions/<name>. Not in a private network',
    }),
  ),
  hooks: Type.Array(offer('PluginHook', 'what it sends'), {
    maxItems: 50,
    description: 'What it tells, which rules can wait for',
  }),
  actions: Type.Array(offer('PluginAction', 'its parameters'), {
    maxItems: 50,
    description: 'What it does when rules ask for it',
  }),
  permissions: Type.Array(text({ max: 60 }), {
    maxItems: 200,
    uniqueItems: true,
    description: 'What its token may do, such as items:read; installing it grants this',
  }),
  custom_fields: Type.Array(fieldSchema(), {
    maxItems: 50,
    description:
      'Custom fields that are made for it, as POST /api/custom-fields takes them. Only the plugin changes them',
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

/** Of a custom field of a plugin: it belongs to nobody else. */
function fieldSchema() {
  const { plugin_id: _, ...properties } = createSchema(customFields).properties;
  return Type.Object(properties, { ...CLOSED, title: 'PluginField' });
}
