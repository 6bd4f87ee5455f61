/** Checks rules beyond their schemas. */
import { isUuid } from '../../../db/ids.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { templateFault, templatePaths } from '../../../domain/integrations/automations/templates.ts';
import { headerFaults } from '../../../domain/integrations/webhooks/headers.ts';
import { type TargetPolicy, targetFault } from '../../../domain/integrations/webhooks/targets.ts';
import { isTimeZone } from '../../../domain/locale/time-zones.ts';
import { breaksHeader, parseRecipients } from '../../../domain/messages/mail/addresses.ts';
import { groupFaults } from '../../../domain/platform/conditions/groups.ts';
import { parseCron } from '../../../domain/platform/schedules/cron.ts';
import { DOC_TYPE_NAMES, DOC_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { pointerStep, textsIn } from '../../platform/validation/text.ts';
import { answerFaults } from './answers.ts';
import { type RecordResource, recordResource } from './records/resources.ts';
import { type Action, type ActionOf, MAX_CHARACTERS, type PersonAction, type Rule, type Trigger } from './schemas.ts';

/** Members that actions may change, in any state that the document's own rules allow. */
const FIELDS = [
  ...['internalNotes', 'internal_notes', 'notes', 'reference', 'tags'],
  ...['projectId', 'project_id', 'costCenterId', 'cost_center_id'],
];
const CUSTOM_FIELD = /^custom_[a-z][a-z0-9_]{0,62}$/;
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}(; ?[\w-]{1,30}=[\w.-]{1,30})?$/;

/** The records that a scheduled rule acts on; null for other rules. */
export function scheduledRecords(trigger: Trigger): RecordResource | null {
  if (trigger.type !== 'schedule.cron' || trigger.query === undefined) return null;
  return recordResource(trigger.query.resource);
}

/** The members of a rule's data that it can concern. */
export const RULE_SUBJECTS = ['document', 'payment', 'partner', 'item', 'price'] as const;
export type RuleSubject = (typeof RULE_SUBJECTS)[number];

/** The kind of record that a rule concerns; null if it is about none. */
export function ruleSubject(trigger: Trigger): RuleSubject | null {
  const { type } = trigger;
  if (type === 'stock.low') return 'item';
  const [word = ''] = type.split('.');
  return RULE_SUBJECTS.find((subject) => subject === word) ?? scheduledRecords(trigger)?.subject ?? null;
}

/** Whether a rule concerns a document, or a payment and thereby the documents that it pays. */
export function isAboutDocument(trigger: Trigger): boolean {
  const subject = ruleSubject(trigger);
  return subject === 'document' || subject === 'payment';
}

/** The types of documents that a rule concerns. */
export function triggerDocTypes(trigger: Trigger): readonly DocType[] {
  const selected = scheduledRecords(trigger)?.docType;
  if (selected !== undefined) return [selected];
  const name = 'document_type' in trigger ? trigger.document_type : undefined;
  const only = name === undefined ? undefined : DOC_TYPE_NAMES[name];
  return only === undefined ? DOC_TYPES : [only];
}

/** Finds all faults of a rule, with pointers into its body. */
export function ruleFaults(rule: Rule, options: { readonly targets: TargetPolicy }): FieldError[] {
  const { trigger, conditions, actions } = rule;
  if (JSON.stringify({ trigger, conditions, actions }).length > MAX_CHARACTERS) {
    const message = `must have at most ${MAX_CHARACTERS} characters in conditions and actions together`;
    return [{ pointer: '/actions', code: 'too_long', message }];
  }
  return [
    ...triggerFaults(trigger),
    ...eachFaults(rule),
    ...groupFaults(conditions, '/conditions', 'relative days'),
    ...answerFaults(actions),
    ...actions.flatMap((action, index) => {
      const at = `/actions/${index}`;
      const faults = [...templateFaults(action, at), ...actionFaults(action, trigger, at, options)];
      return [...new Map(faults.map((fault) => [fault.pointer, fault])).values()];
    }),
  ];
}

function eachFaults({ trigger, for_each: forEach }: Rule): FieldError[] {
  if (forEach === null || ruleSubject(trigger) === 'document') return [];
  const message = `cannot be given because ${trigger.type} is about no document`;
  return [{ pointer: '/for_each', code: 'not_applicable', message }];
}

function triggerFaults(trigger: Trigger): FieldError[] {
  if (trigger.type === 'document.status_changed' && trigger.from_status !== undefined) {
    if (trigger.from_status !== trigger.to_status) return [];
    return [{ pointer: '/trigger/to_status', code: 'contradiction', message: 'must differ from from_status' }];
  }
  if (trigger.type !== 'schedule.cron') return [];
  const cron = parseCron(trigger.expression);
  const at = '/trigger/expression';
  const faults: FieldError[] = [];
  if ('fault' in cron) {
    faults.push({
      pointer: at,
      code: cron.fault === 'never' ? 'never_fires' : 'invalid_format',
      message: cron.message,
    });
  }
  if (trigger.timezone !== undefined && !isTimeZone(trigger.timezone)) {
    const message = 'must be an IANA time zone, such as Europe/Madrid';
    faults.push({ pointer: '/trigger/timezone', code: 'invalid_format', message });
  }
  return faults;
}

/** The faults of all templates in an action, wherever they stand. */
function templateFaults(action: Action, at: string): FieldError[] {
  return textsIn(action, at).flatMap(({ text, pointer }) => {
    const fault = templateFault(text);
    return fault === null ? [] : [{ pointer, ...fault }];
  });
}

function actionFaults(
  action: Action,
  trigger: Trigger,
  at: string,
  options: { readonly targets: TargetPolicy },
): FieldError[] {
  switch (action.type) {
    case 'email.send':
      return [
        ...mailFaults(action, at),
        ...(action.attach_pdf === true ? documentFaults(trigger, `${at}/attach_pdf`) : []),
      ];
    case 'notification.create':
    case 'to_do.assign':
    case 'approval.request':
      return recipientFaults(action, at);
    case 'webhook.call':
    case 'http.request':
      return callFaults(action, at, options);
    case 'document.update_field':
      return [...documentFaults(trigger, `${at}/type`), ...fieldFaults(action, at)];
    case 'document.cancel':
      return documentFaults(trigger, `${at}/type`);
    case 'document.lock':
      return [...documentFaults(trigger, `${at}/type`), ...typeFaults(action, trigger, at)];
    default:
      return [];
  }
}

function documentFaults(trigger: Trigger, pointer: string): FieldError[] {
  if (isAboutDocument(trigger)) return [];
  return [
    { pointer, code: 'not_applicable', message: `cannot be done because ${trigger.type} does not concern a document` },
  ];
}

function mailFaults({ to, subject }: Extract<Action, { type: 'email.send' }>, at: string): FieldError[] {
  const found = templatePaths(to).length > 0 ? [] : parseRecipients(to);
  return [
    ...('code' in found ? [{ pointer: `${at}/to`, ...found }] : []),
    ...(breaksHeader(subject)
      ? [{ pointer: `${at}/subject`, code: 'format', message: 'cannot contain line breaks or control characters' }]
      : []),
  ];
}

function recipientFaults(action: ActionOf<PersonAction>, at: string): FieldError[] {
  const { user_id: user, role } = action;
  if ((user === undefined) === (role === undefined)) {
    return [{ pointer: `${at}/user_id`, code: 'required', message: 'must be given unless role is' }];
  }
  if (user === undefined || isUuid(user) || templatePaths(user).length > 0) return [];
  return [{ pointer: `${at}/user_id`, code: 'invalid_format', message: 'must be a UUID or a placeholder' }];
}

function callFaults(
  { url, method, headers = {}, body }: Extract<Action, { type: 'webhook.call' | 'http.request' }>,
  at: string,
  { targets }: { readonly targets: TargetPolicy },
): FieldError[] {
  // Data must not decide who is called.
  const host = /^[^:]*:\/\/[^/?#]*/.exec(url)?.[0] ?? '';
  const target = /[{}]/.test(host)
    ? { code: 'invalid_url', message: 'must have a host without placeholders' }
    : targetFault(url.replaceAll(/\{\{[^{}]*\}\}/g, 'x'), targets);
  const [type] = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'content-type');
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== type?.[0]));
  return [
    ...(target === null ? [] : [{ pointer: `${at}/url`, ...target }]),
    ...(body !== undefined && method === 'GET'
      ? [{ pointer: `${at}/body`, code: 'not_applicable', message: 'cannot be sent by GET' }]
      : []),
    ...(type === undefined || CONTENT_TYPE.test(type[1])
      ? []
      : [{ pointer: `${at}/headers${pointerStep(type[0])}`, code: 'invalid_header', message: 'must be a media type' }]),
    ...headerFaults(others).map(({ name, code, message }) => ({
      pointer: `${at}/headers${name === '' ? '' : pointerStep(name)}`,
      code,
      message,
    })),
  ];
}

function fieldFaults({ field, value }: Extract<Action, { type: 'document.update_field' }>, at: string): FieldError[] {
  if (!FIELDS.includes(field) && !CUSTOM_FIELD.test(field)) {
    const names = FIELDS.filter((name) => !name.includes('_')).join(', ');
    const message = `must be one of ${names}, or a custom field such as custom_route`;
    return [{ pointer: `${at}/field`, code: 'not_allowed', message }];
  }
  if (JSON.stringify(value).length <= 5000) return [];
  return [{ pointer: `${at}/value`, code: 'too_long', message: 'must have at most 5000 characters as JSON' }];
}

function typeFaults(action: Extract<Action, { type: 'document.lock' }>, trigger: Trigger, at: string): FieldError[] {
  const of = 'document_type' in trigger ? trigger.document_type : undefined;
  const { document_type: wanted } = action;
  if (of === undefined || wanted === undefined || DOC_TYPE_NAMES[of] === DOC_TYPE_NAMES[wanted]) return [];
  const message = `cannot be another type than the trigger's, ${of}`;
  return [{ pointer: `${at}/document_type`, code: 'contradiction', message }];
}
