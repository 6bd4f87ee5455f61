/** Checks manifests beyond their schemas. */
import type { Offer, Plugin } from '../../../db/models/integrations/plugins.ts';
import { type FieldError, validationFailed } from '../../../domain/errors.ts';
import { schemaFaults } from '../../../domain/integrations/plugins/json-schemas.ts';
import { permissionFaults } from '../../../domain/integrations/plugins/permissions.ts';
import { type TargetPolicy, targetFault } from '../../../domain/integrations/webhooks/targets.ts';

type Checked = Pick<Plugin, 'permissions' | 'baseUrl' | 'hooks' | 'actions'>;

/** Asserts that a manifest is valid. @throws ServiceError validation_failed with all faults */
export function assertManifest(
  { permissions, baseUrl, hooks, actions }: Checked,
  options: { readonly targets: TargetPolicy },
): void {
  const target = baseUrl === null ? null : targetFault(baseUrl, options.targets);
  const faults: FieldError[] = [
    ...permissionFaults(permissions, '/permissions'),
    ...(target === null ? [] : [{ pointer: '/base_url', ...target }]),
    ...(baseUrl === null && actions.length > 0
      ? [{ pointer: '/base_url', code: 'required', message: 'must be given, because there are actions' }]
      : []),
    ...offerFaults(hooks, '/hooks'),
    ...offerFaults(actions, '/actions'),
  ];
  if (faults.length > 0) throw validationFailed(faults);
}

function offerFaults(offers: readonly Offer[], pointer: string): FieldError[] {
  const names = offers.map(({ name }) => name);
  return offers.flatMap(({ name, schema }, index) => [
    ...(names.indexOf(name) < index
      ? [{ pointer: `${pointer}/${index}/name`, code: 'duplicate', message: 'is there twice' }]
      : []),
    ...(schema === undefined ? [] : schemaFaults(schema, `${pointer}/${index}/schema`)),
  ]);
}
