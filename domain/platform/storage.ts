/** The budget of bytes of a company, and the kinds of what it stores (decision 0232). */
import { ServiceError } from '../errors.ts';

/**
 * The room of a request: the budget limits what adds to its data; a reserve of a tenth is left for what keeps it working, such
 * as PDFs of its documents, cancellations and settings.
 */
export type StorageUse = 'budget' | 'reserve';

const RESERVE = 0.1;

/** Bytes that may be stored in all. @param budget in bytes; 0 = no limit */
export function storageLimit(budget: number, use: StorageUse): number {
  if (budget === 0) return Number.POSITIVE_INFINITY;
  return use === 'budget' ? budget : Math.floor(budget * (1 + RESERVE));
}

/** Bytes that stand for the audit record and the event of a request until its rows are measured. */
export const BYTES_OF_A_REQUEST = 1024;

/** Kinds of what triggers count, by their name in `storage_changes`. */
export const COUNTED_KINDS: Readonly<Record<string, StorageKind>> = {
  attachment: 'attachments',
  objects: 'attachments',
  document_pdf: 'pdfs',
  proforma_pdf: 'pdfs',
  payslip: 'pdfs',
  task_input: 'imports',
  task_result: 'results',
  sepa_order: 'bank',
  company_logo: 'settings',
  answers: 'answers',
  mails: 'mails',
  recent: 'recent',
};

/** Kinds of measured rows, by the beginning of the table's name; the first that fits counts. */
const KINDS_OF_TABLES: readonly (readonly [string, StorageKind])[] = [
  ['document', 'documents'],
  ['paper_', 'documents'],
  ['payrolls', 'documents'],
  ['recurring_', 'documents'],
  ['asset_groups', 'master_data'],
  ['asset_', 'ledger'],
  ['journal_', 'ledger'],
  ['fiscal_', 'ledger'],
  ['deferral', 'ledger'],
  ['planned_reversals', 'ledger'],
  ['loan', 'ledger'],
  ['bad_debt', 'ledger'],
  ['due_entry_', 'notifications'],
  ['pro_rata', 'ledger'],
  ['tax_returns', 'ledger'],
  ['good_regularisations', 'ledger'],
  ['pending_taxes', 'ledger'],
  ['open_items', 'ledger'],
  ['stock_', 'stock'],
  ['payment_terms', 'master_data'],
  ['bank_accounts', 'master_data'],
  ['payment', 'payments'],
  ['bank_', 'bank'],
  ['statement', 'bank'],
  ['sepa_', 'bank'],
  ['audit_logs', 'audit_log'],
  ['outbox', 'events'],
  ['webhook', 'webhooks'],
  ['automation', 'automations'],
  ['notification', 'notifications'],
  ['push_', 'notifications'],
  ['incidents', 'notifications'],
  ['email', 'mails'],
  ['mail_', 'mails'],
  ['comments', 'comments'],
  ['attachments', 'attachments'],
  ['tasks', 'results'],
  ['verifactu_', 'invoice_records'],
  ['face_', 'invoice_records'],
  ['full_invoices', 'documents'],
  ['commission_lines', 'documents'],
  ['commission_settlements', 'documents'],
  ['drop_shipment_lines', 'documents'],
  ['dunnings', 'documents'],
  ['landed_cost', 'stock'],
  ['exchange_revaluations', 'ledger'],
  ['settings', 'settings'],
  ['counters', 'settings'],
];

/** The kind of a table's rows. */
export function kindOfTable(table: string): StorageKind {
  return KINDS_OF_TABLES.find(([beginning]) => table.startsWith(beginning))?.[1] ?? 'master_data';
}

/** Kinds as clients see them, and what makes them fewer. */
export const STORAGE_KINDS = {
  documents: 'Delete drafts; posted documents are kept for ever',
  ledger: 'Kept for ever',
  invoice_records: 'Records for the tax agency are kept for ever',
  stock: 'Kept for ever',
  payments: 'Delete unposted ones; the others are kept for ever',
  bank: 'Kept for ever',
  master_data: 'Delete records that nothing uses',
  settings: 'Replace them with shorter ones',
  attachments: 'Delete files: DELETE /api/files/{id}; in an object store they are removed within about an hour',
  pdfs: 'PDFs of drafts, orders and notes are deleted after KEEP_PDFS_DAYS; those of posted invoices are kept for ever',
  imports: 'Uploads are deleted when their task ends; delete tasks: DELETE /api/tasks/{id}',
  results: 'Delete tasks: DELETE /api/tasks/{id}; their files are deleted after KEEP_TASK_FILES_DAYS',
  answers: 'Answers to requests with an Idempotency-Key are deleted after KEEP_IDEMPOTENCY_KEYS_HOURS',
  mails: 'Deleted after KEEP_EMAILS_DAYS',
  comments: 'Delete comments: DELETE /api/comments/{id}',
  notifications: 'Delete notifications; they are deleted after KEEP_NOTIFICATIONS_DAYS',
  webhooks: 'Logs of deliveries are deleted after KEEP_ATTEMPTS_DAYS',
  automations: 'Logs of runs are deleted after KEEP_AUTOMATION_RUNS_DAYS',
  events: 'Deleted after KEEP_EVENTS_DAYS',
  audit_log: 'Kept for ever',
  recent: 'Bodies of requests whose rows have not been measured yet; measured within about an hour',
} as const;

export type StorageKind = keyof typeof STORAGE_KINDS;

/** Builds the 507 of a company that has no room left. @param budget in bytes */
export function storageFull(budget: number): ServiceError {
  return new ServiceError(
    'storage_full',
    `The company has used up its ${inWords(budget)} of storage: GET /api/company/usage shows what it stores and how to make room`,
  );
}

/** Formats bytes as `1.4 GiB`. */
export function inWords(bytes: number): string {
  const [unit, size] = bytes >= 2 ** 30 ? ['GiB', 2 ** 30] : bytes >= 2 ** 20 ? ['MiB', 2 ** 20] : ['KiB', 2 ** 10];
  return `${Number((bytes / (size as number)).toFixed(1))} ${unit}`;
}
