/** Creates, changes, enables, pauses, removes and shows rules of automations. */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import type { JsonRow } from '../../../db/models/base.ts';
import { Automation } from '../../../db/models/integrations/automations.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { notFound, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { actionHeaders, maskActions, withoutMasks } from '../../../domain/integrations/automations/headers.ts';
import type { TargetPolicy } from '../../../domain/integrations/webhooks/targets.ts';
import { parseCron } from '../../../domain/platform/schedules/cron.ts';
import { nextTimes } from '../../../domain/platform/schedules/next-times.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { sealHeaders } from '../webhooks/header-values.ts';
import { ruleFaults } from './check.ts';
import { clockEvents } from './clock/schedule-state.ts';
import { referenceFaults } from './references.ts';
import { cancelRuns } from './run-store.ts';
import type { AutomationChanges, AutomationInput, Rule, Trigger } from './schemas.ts';

export interface RulePolicy {
  readonly targets: TargetPolicy;
  readonly encryptionKeys: EncryptionKeys;
}

/** Maximum automations of a company, since all that subscribe to an event are evaluated. */
export const MAX_AUTOMATIONS = 200;
/** Number of next runs shown. */
const NEXT_RUNS = 5;

/** Creates a rule, which is active at once. @throws ServiceError validation_failed */
export async function createAutomation(
  trx: Db,
  ctx: Context,
  policy: RulePolicy,
  input: AutomationInput,
): Promise<Automation> {
  const rule = await checkRule(trx, ctx, policy, input);
  await assertRoom(trx, ctx);
  const id = newId();
  const row = {
    id,
    name: input.name,
    description: input.description ?? null,
    ...rule,
    ...actionColumns(policy, { tenantId: ctx.tenantId, id }, input.actions),
    stopOnError: input.stop_on_error ?? false,
    forEach: input.for_each ?? null,
    status: input.status ?? 'active',
    pauseReason: null,
    executionCount: 0,
    lastExecutedAt: null,
    createdBy: ctx.userId,
    ...currentPrincipal(ctx),
  } as const;
  return await insertRow(trx, ctx, Automation, row, clockEvents(null, { ...row, version: 1 }));
}

/**
 * Changes the given members. Activating a rule takes it over if its owner has left the company or lost their permissions.
 * @throws ServiceError not_found, stale_version, validation_failed
 */
export async function changeAutomation(
  trx: Db,
  ctx: Context,
  policy: RulePolicy,
  id: string,
  input: AutomationChanges,
  ifMatch: number | null,
): Promise<Automation> {
  const current = await lockAutomation(trx, id);
  assertVersion(current, ifMatch);
  const {
    name,
    description,
    trigger,
    conditions,
    actions,
    stop_on_error: stopOnError,
    for_each: forEach,
    status,
  } = input;
  const isOther = [trigger, conditions, actions, forEach].some((member) => member !== undefined);
  const rule = isOther
    ? {
        ...(await checkRule(trx, ctx, policy, {
          ...checkable(current),
          ...given({ trigger, conditions, actions, for_each: forEach }),
        })),
        ...(actions === undefined ? { actions: current.actions } : actionColumns(policy, current, actions)),
      }
    : {};
  const isEnabled = status === 'active' && current.status !== 'active';
  const isStopped = status !== undefined && status !== 'active' && current.status === 'active';
  if (isStopped) await cancelRuns(trx, ctx, [id], `The automation was ${status}`);
  const values = {
    ...given({ name, description, stopOnError, forEach, status }),
    ...rule,
    ...(status === undefined || status === current.status ? {} : { pauseReason: null }),
    ...(isEnabled && !(await isInForce(trx, ctx, current)) ? currentPrincipal(ctx) : {}),
  };
  return await patchRow(trx, ctx, Automation, current, values, (changed) => clockEvents(current, changed));
}

/** Enables or pauses a rule. @throws ServiceError not_found, stale_version */
export async function setStatus(
  trx: Db,
  ctx: Context,
  policy: RulePolicy,
  id: string,
  status: Automation['status'],
  ifMatch: number | null,
): Promise<Automation> {
  return await changeAutomation(trx, ctx, policy, id, { status }, ifMatch);
}

/** @throws ServiceError not_found, stale_version */
export async function removeAutomation(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  const current = await lockAutomation(trx, id);
  assertVersion(current, ifMatch);
  await cancelRuns(trx, ctx, [id], 'The automation was deleted');
  await removeRow(trx, ctx, Automation, current, clockEvents(current, null));
}

/** @throws ServiceError not_found */
export async function readAutomation(reader: Reader, id: string): Promise<Automation> {
  const automation = await findRow(reader, Automation, { id });
  if (automation === undefined) throw notFound('This automation');
  return automation;
}

/** Types a rule as its schemas describe it. */
export function automationRule({ trigger, conditions, actions, forEach }: Automation): Rule {
  return { trigger, conditions, actions, for_each: forEach } as unknown as Rule;
}

/** The rule without the values of headers, which were checked when they were given. */
function checkable(automation: Automation): Rule {
  const { actions, ...rule } = automationRule(automation);
  return { ...rule, actions: withoutMasks(actions) };
}

function actionColumns(
  { encryptionKeys }: RulePolicy,
  owner: Pick<Automation, 'tenantId' | 'id'>,
  actions: Rule['actions'],
): Pick<Automation, 'actions' | 'headersEncrypted'> {
  return {
    actions: structuredClone(maskActions(actions)) as unknown as Automation['actions'],
    headersEncrypted: sealHeaders(encryptionKeys, owner, actionHeaders(actions)),
  };
}

/** Converts a rule to the form that clients see, with the next runs of a scheduled one. */
export function automationToJson(automation: Automation, now: Date): JsonRow {
  const { trigger } = automationRule(automation);
  const isOn = automation.status === 'active';
  return { ...Automation.toJson({ ...automation }), next_runs: isOn ? nextRuns(trigger, now) : [] };
}

function nextRuns(trigger: Trigger, now: Date): string[] {
  if (trigger.type !== 'schedule.cron' || trigger.timezone === undefined) return [];
  const cron = parseCron(trigger.expression);
  return 'fault' in cron ? [] : nextTimes(cron, trigger.timezone, now, NEXT_RUNS);
}

/** Checks a rule. @throws ServiceError validation_failed with all faults */
async function checkRule(
  trx: Db,
  ctx: Context,
  policy: RulePolicy,
  {
    trigger,
    conditions,
    actions,
    for_each: forEach,
  }: Pick<AutomationInput, 'trigger' | 'conditions' | 'actions' | 'for_each'>,
) {
  const zoned = await withZone(trx, trigger);
  const checked = { trigger: zoned, conditions: conditions ?? [], actions };
  const rule: Rule = { ...checked, for_each: forEach ?? null };
  const faults = ruleFaults(rule, policy);
  if (faults.length === 0) faults.push(...(await referenceFaults(trx, ctx, rule)));
  if (faults.length > 0) throw validationFailed(faults);
  return structuredClone(checked) as Pick<Automation, 'trigger' | 'conditions' | 'actions'>;
}

/** Sets the time zone, by default the company's at the creation of the rule. */
async function withZone(trx: Db, trigger: Trigger): Promise<Trigger> {
  if (trigger.type !== 'schedule.cron' || trigger.timezone !== undefined) return trigger;
  const { timezone } = await loadSettings(trx, 'format');
  return { ...trigger, timezone };
}

async function assertRoom(trx: Db, { tenantId }: Context): Promise<void> {
  // Two requests that both found room would make one too many.
  await lockName(trx, `automations:${tenantId}`);
  const [found] = await query<{ count: number }>(trx, 'select count(*)::integer as count from automations', {});
  if (found !== undefined && found.count >= MAX_AUTOMATIONS) {
    throw new ServiceError(
      'validation_failed',
      `A company has at most ${MAX_AUTOMATIONS} automations; delete or change some`,
      {
        errors: [
          {
            pointer: '',
            code: 'too_many',
            message: `cannot be added because there are already ${MAX_AUTOMATIONS} automations`,
          },
        ],
      },
    );
  }
}

async function isInForce(trx: Db, { now }: Context, { runsAs, actor }: Automation): Promise<boolean> {
  return (await loadPermissions(trx, { userId: runsAs, actor }, now)).has('automations:create');
}

function currentPrincipal({ userId, actor }: Context) {
  return { runsAs: userId, actor: userId === null ? actor : null };
}

function given<V extends Readonly<Record<string, unknown>>>(values: V) {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Name in keyof V]: Exclude<V[Name], undefined> };
}

async function lockAutomation(trx: Db, id: string): Promise<Automation> {
  const automation = (await Automation.query(trx).findById(id).forNoKeyUpdate()) as Automation | undefined;
  if (automation === undefined) throw notFound('This automation');
  return automation;
}
