/** What mails are for. */
export const EMAIL_KINDS = [
  'document',
  'report',
  'summary',
  'automation',
  'payslip',
  'invitation',
  'password_reset',
] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

export const EMAIL_STATUSES = ['queued', 'sent', 'failed'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];
