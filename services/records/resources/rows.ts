/** Writes rows of declared resources: completes and checks them, and converts amounts to exact decimals. */
import type { TenantModel, TenantModelClass } from '../../../db/models/base.ts';
import { checkReferences } from '../../../db/queries/references.ts';
import { findUses } from '../../../db/queries/uses.ts';
import { insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { inUse } from '../../../domain/errors.ts';
import { decimal, parseDecimal } from '../../../domain/money.ts';
import type { CustomValues } from '../../../domain/records/custom-fields.ts';
import { camelCase } from '../../../domain/words.ts';
import { splitCustom } from '../custom-fields/rows.ts';
import { changedCustomValues, newCustomValues } from '../custom-fields/write.ts';
import type { HookScope, ResourceDeclaration } from './declaration.ts';
import { replaceDefault } from './defaults.ts';
import type { ResourceFields, Row } from './field.ts';
import { givenReferences, withDefaults } from './fields.ts';
import { ruleEvents } from './rule-events.ts';

/** Creates a row: fills in defaults, checks references, applies the resource's own rules, and replaces the previous default. */
export async function createOne(declaration: ResourceDeclaration, scope: HookScope, body: Row): Promise<TenantModel> {
  const { model, fields, customFields, onCreate, onCreated, oneDefaultPer, apart } = declaration;
  const { custom, rest } = splitCustom(body);
  const ownFields = customFields && { custom: await newCustomValues(scope.trx, scope.ctx, customFields, custom) };
  const complete = withDefaults(fields, rest);
  await checkReferences(scope.trx, givenReferences(fields, complete));
  const [own, others] = splitApart(fields, complete);
  const given = exact(model, toMembers(own));
  const values = exact(model, onCreate ? await onCreate(scope, given) : given);
  if (oneDefaultPer && values.isDefault === true)
    await replaceDefault(scope.trx, scope.ctx, model, oneDefaultPer, values);
  const events = (next: TenantModel) => ruleEvents(declaration, scope, null, next);
  const row = await insertRow(scope.trx, scope.ctx, model, { ...values, ...ownFields }, events);
  if (apart) await apart.create(scope, row, exact(apart.model, toMembers(others)));
  await onCreated?.(scope, row);
  return row;
}

/** Changes a locked row: checks references, applies the resource's own rules, and replaces the previous default. */
export async function changeOne(
  declaration: ResourceDeclaration,
  scope: HookScope,
  current: TenantModel,
  body: Row,
): Promise<TenantModel> {
  const { model, fields, customFields, onPatch, oneDefaultPer, apart } = declaration;
  const { custom, rest } = splitCustom(body);
  const stored = (current as TenantModel & { custom?: CustomValues }).custom ?? {};
  const ownFields = customFields && {
    custom: await changedCustomValues(scope.trx, scope.ctx, customFields, custom, stored),
  };
  const [own, others] = splitApart(fields, rest);
  const given = exact(model, toMembers(own));
  const touched = { ...changed(model, current, given), ...toMembers(others) };
  const named = Object.entries(rest).filter(([name]) => camelCase(name) in touched);
  await checkReferences(scope.trx, givenReferences(fields, Object.fromEntries(named)));
  const values = changed(model, current, exact(model, onPatch ? await onPatch(scope, given, current) : given));
  const next: Row = { ...current, ...values };
  // A default that moves to another type or owner becomes the default there.
  if (oneDefaultPer && next.isDefault === true && ['isDefault', ...oneDefaultPer].some((name) => name in values)) {
    await replaceDefault(scope.trx, scope.ctx, model, oneDefaultPer, next);
  }
  const besides = await apart?.change(scope, current, exact(apart.model, toMembers(others)), values);
  const events = (next: TenantModel) => ruleEvents(declaration, scope, current, next);
  return patchRow(scope.trx, scope.ctx, model, current, { ...values, ...besides, ...ownFields }, events);
}

/** Deletes a locked row, if the resource's own rules allow it. @throws ServiceError in_use, naming its uses */
export async function removeOne(
  { model, onDelete }: ResourceDeclaration,
  scope: HookScope,
  current: TenantModel,
): Promise<void> {
  await onDelete?.(scope, current);
  // Checked before, since a refusal by the database would abort the transaction; the lock of the row prevents new uses.
  const uses = await findUses(scope.trx, model.tableName, current.id);
  if (uses.length > 0) throw inUse(uses);
  await removeRow(scope.trx, scope.ctx, model, current);
}

/** Separates the values of the row itself from those stored apart. */
function splitApart(fields: ResourceFields, values: Row): [own: Row, others: Row] {
  const entries = Object.entries(values);
  const isApart = ([name]: [string, unknown]) => fields[name]?.apart === true;
  return [Object.fromEntries(entries.filter((entry) => !isApart(entry))), Object.fromEntries(entries.filter(isApart))];
}

/** Converts the names of fields to members, which are in camelCase. */
function toMembers(values: Row): Row {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), value]));
}

/** Finds the members that differ; amounts are compared by value ("10" equals "10.000000"). */
export function changed<M extends TenantModel>(model: TenantModelClass<M>, current: M, values: Row): Row {
  const before = current as unknown as Row;
  const differs = (name: string, value: unknown) =>
    model.decimals.includes(name) && value !== null && before[name] !== null
      ? !parseDecimal(String(before[name])).eq(parseDecimal(String(value)))
      : before[name] !== value;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => differs(name, value)));
}

/** Converts amounts to exact decimals. */
function exact<M extends TenantModel>(model: TenantModelClass<M>, values: Row): Row {
  const entries = Object.entries(values).map(([name, value]) =>
    model.decimals.includes(name) && typeof value === 'number' ? [name, decimal(value).toFixed()] : [name, value],
  );
  return Object.fromEntries(entries);
}
