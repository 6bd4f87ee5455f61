/** When the payslip of a payroll was last mailed to its employee: once, however often a month is asked for. */
export const up = `alter table payrolls add column payslip_mailed_at timestamptz;`;
