/** The contract of payrolls between the relay and workers. */

/** The workflow that makes a month's payrolls. */
export const PAYROLL_GENERATION = 'payrollGeneration';

/** The workflow that mails a month's payslips. */
export const PAYSLIP_MAILS = 'payslipMails';
