/** How a declared resource is written: completed, checked, and with amounts as exact decimals. */
import type { TenantModel, TenantModelClass } from '../db/models/base.ts';
import { checkReferences } from '../db/queries/references.ts';
import { insertRow, patchRow } from '../db/write.ts';
import { decimal } from '../domain/money.ts';
import { replaceDefault } from '../services/master-data/defaults.ts';
import type { HookScope, ResourceDeclaration } from './resource.ts';
import { type Row, referencesOf, withDefaults } from './resource-fields.ts';

/** Inserts a row: defaults, references, the resource's own rules, and the default that it takes over from. */
export async function createOne<M extends TenantModel>(
  declaration: ResourceDeclaration<M>,
  scope: HookScope,
  body: Row,
): Promise<M> {
  const { model, fields, onCreate, oneDefaultPer } = declaration;
  const given = exact(model, withDefaults(fields, body));
  await checkReferences(scope.trx, referencesOf(fields, given));
  const values = exact(model, onCreate ? await onCreate(scope, given) : given);
  if (oneDefaultPer && values.isDefault === true)
    await replaceDefault(scope.trx, scope.ctx, model, oneDefaultPer, values);
  return insertRow(scope.trx, scope.ctx, model, values as Partial<M> & Row);
}

/** Changes a locked row likewise. */
export async function changeOne<M extends TenantModel>(
  declaration: ResourceDeclaration<M>,
  scope: HookScope,
  current: M,
  body: Row,
): Promise<M> {
  const { model, fields, onPatch, oneDefaultPer } = declaration;
  const given = exact(model, body);
  await checkReferences(scope.trx, referencesOf(fields, changed(model, current, given)));
  const values = changed(model, current, exact(model, onPatch ? await onPatch(scope, given, current) : given));
  const next: Row = { ...current, ...values };
  // A default that moves to another type or owner takes over there.
  if (oneDefaultPer && next.isDefault === true && ['isDefault', ...oneDefaultPer].some((name) => name in values)) {
    await replaceDefault(scope.trx, scope.ctx, model, oneDefaultPer, next);
  }
  return patchRow(scope.trx, scope.ctx, model, current, values as Partial<M> & Row);
}

/** The members that differ from the present ones; amounts are compared as amounts ("10" is "10.000000"). */
function changed<M extends TenantModel>(model: TenantModelClass<M>, current: M, values: Row): Row {
  const before = current as unknown as Row;
  const differs = (name: string, value: unknown) =>
    model.decimals.includes(name) && value !== null && before[name] !== null
      ? !decimal(String(before[name])).eq(String(value))
      : before[name] !== value;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => differs(name, value)));
}

/** The values with their amounts as exact decimals. */
function exact<M extends TenantModel>(model: TenantModelClass<M>, values: Row): Row {
  const entries = Object.entries(values).map(([name, value]) =>
    model.decimals.includes(name) && typeof value === 'number' ? [name, decimal(value).toFixed()] : [name, value],
  );
  return Object.fromEntries(entries);
}
