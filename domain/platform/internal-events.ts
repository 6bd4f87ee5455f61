/**
 * Events by which services start background work. They travel through the outbox like all events, but are not news: webhooks never receive
 * them, whatever they subscribe to.
 */
const PREFIX = 'internal.';

export const TASK_STARTED = `${PREFIX}task_started`;
export const TASK_CANCELLED = `${PREFIX}task_cancelled`;
/** A task ended; its creator is notified: task_kind, outcome, detail, result_url, created_by. */
export const TASK_ENDED = `${PREFIX}task_ended`;
/** Layers of an item in a warehouse must be recomputed: item_id, warehouse_id, date. */
export const STOCK_REVALUATION_DUE = `${PREFIX}stock_revaluation_due`;
/** The recomputation is done; `due` is the event that requested it. Nothing receives this event. */
export const STOCK_REVALUED = `${PREFIX}stock_revalued`;
/** A payment must be matched with open invoices: payment_id. */
export const RECONCILIATION_DUE = `${PREFIX}reconciliation_due`;
/** A chain has records for the tax agency, and no workflow will look for them. */
export const VERIFACTU_DUE = `${PREFIX}verifactu_due`;
/** An invoice must be sent through FACe, or something be done about one that was; the submission is the entity. */
export const FACE_DUE = `${PREFIX}face_due`;
/** An event must be redelivered to a webhook: webhook_id; the event is the entity. */
export const REDELIVERY_DUE = `${PREFIX}redelivery_due`;
/** A mail must be sent; it is the entity. */
export const EMAIL_DUE = `${PREFIX}email_due`;
/** A notification must be pushed to the browsers of its user; it is the entity. */
export const PUSH_DUE = `${PREFIX}push_due`;
/** A scheduled report is new or changed: version, active, title, cron, timezone. */
export const REPORT_SCHEDULE_CHANGED = `${PREFIX}report_schedule_changed`;
export const REPORT_SCHEDULE_REMOVED = `${PREFIX}report_schedule_removed`;

/** A run of an automation must be restarted: run, the input of its workflow; the automation is the entity. */
export const AUTOMATION_RUN_DUE = `${PREFIX}automation_run_due`;
/** A scheduled rule is new, changed or no longer scheduled; members as for scheduled reports. */
export const AUTOMATION_SCHEDULE_CHANGED = `${PREFIX}automation_schedule_changed`;
export const AUTOMATION_SCHEDULE_REMOVED = `${PREFIX}automation_schedule_removed`;

/** A to-do was ended that a workflow waits for: workflow_id. */
export const TO_DO_ENDED = `${PREFIX}to_do_ended`;

/** A document is fully paid; for automations. Webhooks get document.updated instead. */
export const DOCUMENT_PAID = 'document.paid';

/** A plugin fired a hook: plugin_id, hook, payload; for automations. */
export const PLUGIN_HOOK = 'plugin.hook';

/** Master data whose new and changed records trigger rules. */
export const WATCHED_RECORDS = ['partner', 'item', 'price'] as const;
export type WatchedRecord = (typeof WATCHED_RECORDS)[number];

/** Events that only rules hear. */
const FOR_RULES: ReadonlySet<string> = new Set([
  DOCUMENT_PAID,
  PLUGIN_HOOK,
  ...WATCHED_RECORDS.flatMap((record) => [`${record}.created`, `${record}.updated`]),
]);

/** Whether webhooks may receive the event, i.e. it is not internal. */
export function isNews(name: string): boolean {
  return !isWork(name) && !FOR_RULES.has(name);
}

/** Whether the event starts work of the service that somebody may be waiting for. */
export function isWork(name: string): boolean {
  return name.startsWith(PREFIX);
}
