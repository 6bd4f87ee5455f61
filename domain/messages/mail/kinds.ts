/** Purposes of mails. */
export const MAIL_KINDS = [
  'document',
  'recurring',
  'report',
  'summary',
  'automation',
  'approval',
  'payslip',
  'invitation',
  'password_reset',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_STATUSES = ['queued', 'sent', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
