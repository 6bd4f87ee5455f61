/** The contract of payrolls between the relay and workers. */

/** The workflow that makes a month's payrolls. */
export const PAYROLL_GENERATION = 'payrollGeneration';
