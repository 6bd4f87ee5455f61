/** Tries a rule: evaluates its conditions and shows the effects of its actions, without performing them. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { Automation } from '../../../db/models/integrations/automations.ts';
import { ServiceError, validationFailed } from '../../../domain/errors.ts';
import { answerPath } from '../../../domain/integrations/automations/answers.ts';
import { maskActions } from '../../../domain/integrations/automations/headers.ts';
import { TooLong } from '../../../domain/integrations/automations/templates.ts';
import { parseRecipients } from '../../../domain/messages/mail/addresses.ts';
import { type Condition, holds } from '../../../domain/platform/conditions/conditions.ts';
import { hold as allHold, placedConditions } from '../../../domain/platform/conditions/groups.ts';
import { valueAt } from '../../../domain/platform/conditions/paths.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { type EncryptionKeys, SealError } from '../../platform/encryption/seal.ts';
import { openHeaders } from '../webhooks/header-values.ts';
import { loadCalendar } from './calendar.ts';
import { RULE_SUBJECTS, ruleSubject, triggerDocTypes } from './check.ts';
import { automationRule } from './manage.ts';
import { countRecords, MAX_RECORDS, readSelection, type Selection } from './records/select.ts';
import { renderAction } from './render.ts';
import type { Action, Trigger } from './schemas.ts';
import { neededToSee, type Subject, subjectsByLine } from './subject.ts';
import { firstRecordThatFits, type Holding, subjectFor } from './trial-subject.ts';

export interface Trial {
  /** Whether the rule would run. */
  readonly matched: boolean;
  /** The document used for the trial; null if the rule concerns none or there is none. */
  readonly document_id: string | null;
  /** The line used for the trial of a rule for each line; null for others. */
  readonly line_id: string | null;
  /** Number of records that its query selects now, up to one more than a run acts on; null without a query. */
  readonly records: number | null;
  readonly conditions: readonly {
    readonly pointer: string;
    readonly field: string;
    readonly operator: string;
    readonly expected: unknown;
    readonly actual: unknown;
    readonly result: boolean;
  }[];
  readonly actions: readonly {
    readonly type: string;
    readonly rendered: Readonly<Record<string, unknown>>;
    readonly warnings: readonly string[];
  }[];
}

/**
 * Tries a rule with a document, or with the latest that fits.
 * @param documentId null for the latest
 * @param permissions of who tries it
 * @throws ServiceError validation_failed for an unknown document, forbidden for records that they may not read
 */
export async function tryAutomation(
  reader: Reader,
  ctx: Context,
  keys: EncryptionKeys,
  { automation, permissions }: { readonly automation: Automation; readonly permissions: ReadonlySet<string> },
  documentId: string | null,
): Promise<Trial> {
  const { trigger, conditions, actions, for_each: forEach } = automationRule(automation);
  const selection = await selectionFor(reader, ctx, { id: automation.id, trigger });
  const calendar = await loadCalendar(reader, ctx.now);
  const each = (data: Subject) => (forEach === null ? [data] : subjectsByLine(data));
  const hold: Holding = (data) => each(data).some((one) => allHold(conditions, one, calendar));
  const found =
    selection === null || documentId !== null
      ? await subjectFor(reader, ctx, trigger, hold, documentId)
      : await firstRecordThatFits(reader, ctx, selection, hold);
  assertSees(permissions, found);
  // Of the lines, the first that fits, or else the first.
  const subject = each(found).find((one) => allHold(conditions, one, calendar)) ?? each(found)[0] ?? found;
  const isAboutNone = ruleSubject(trigger) === null;
  const isThere = isAboutNone || RULE_SUBJECTS.some((member) => subject[member] !== undefined);
  return {
    matched: isThere && fits(trigger, found) && hold(found),
    document_id: (subject.document?.id as string | undefined) ?? null,
    line_id: (subject.line?.id as string | undefined) ?? null,
    records: selection === null ? null : await countRecords(reader, selection, MAX_RECORDS + 1),
    conditions: placedConditions(conditions, '/conditions').map(({ condition, pointer }) => ({
      pointer,
      field: condition.field,
      operator: condition.operator,
      expected: expectedValue(condition, subject),
      actual: valueAt(subject, condition.field) ?? null,
      result: holds(condition, subject, calendar),
    })),
    actions: actions.map((action, index) => tryAction(withValues(keys, automation, action, index), subject)),
  };
}

/** The value that a condition compares with. */
function expectedValue({ value, value_field: other }: Condition, subject: Subject): unknown {
  return (other === undefined ? value : valueAt(subject, other)) ?? null;
}

function assertSees(permissions: ReadonlySet<string>, subject: Subject): void {
  const missing = neededToSee(subject).find((permission) => !permissions.has(permission));
  if (missing !== undefined) throw new ServiceError('forbidden', `Trying this rule requires ${missing}`);
}

async function selectionFor(
  reader: Reader,
  ctx: Context,
  { id, trigger }: { readonly id: string; readonly trigger: Trigger },
): Promise<Selection | null> {
  if (trigger.type !== 'schedule.cron' || trigger.query === undefined) return null;
  const selection = await readSelection(reader, ctx, trigger.query, ctx.now, trigger.query.once === true ? id : null);
  if (!('faults' in selection)) return selection;
  throw validationFailed(selection.faults.map((fault) => ({ ...fault, pointer: `/trigger/query${fault.pointer}` })));
}

function fits(trigger: Trigger, { document }: Subject): boolean {
  if (document === undefined || ruleSubject(trigger) === 'payment') return true;
  const isOfType = triggerDocTypes(trigger).includes(document.docType as DocType);
  const { to_status: to } = trigger as { to_status?: string };
  return isOfType && (to === undefined || document.status === to);
}

/** The action with the values of its headers, or with masks if they cannot be opened. */
function withValues(keys: EncryptionKeys, automation: Automation, action: Action, index: number): Action {
  if (!('headers' in action) || action.headers === undefined) return action;
  try {
    return { ...action, headers: openHeaders(keys, automation, action.headers, index) };
  } catch (error) {
    if (error instanceof SealError) return action;
    throw error;
  }
}

function tryAction(action: Action, subject: Subject): Trial['actions'][number] {
  const { type } = action;
  try {
    const { rendered, unknown } = renderAction(action, subject);
    const [{ type: _, ...members } = rendered] = maskActions([rendered]);
    const warnings = [...unknown.map(unknownPath), ...doubts(type, members, subject)];
    return { type, rendered: members, warnings };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { type, rendered: {}, warnings: [`It cannot be done: ${error.message}`] };
  }
}

function unknownPath(path: string): string {
  return answerPath(path) === null
    ? `{{${path}}} leads to nothing`
    : `{{${path}}} is known only after the call, which a trial does not make`;
}

/** Lists problems that the filled-in action shows. */
function doubts(type: Action['type'], { to }: Readonly<Record<string, unknown>>, { document }: Subject): string[] {
  if (type === 'document.lock' && document !== undefined) {
    if (document.lockedAt !== null) return [`The document is locked since ${document.lockedAt}`];
    return document.lockDueAt === null ? [] : [`The document will be locked at ${document.lockDueAt}`];
  }
  if (type !== 'email.send') return [];
  const found = parseRecipients(String(to));
  return 'code' in found ? [`to ${found.message}`] : [];
}
