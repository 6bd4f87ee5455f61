/** The payslip of an employee (recibo individual de salarios, Orden ESS/2098/2014; decision 0206). */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { Payroll } from '../../../db/models/records/people.ts';
import { findRow } from '../../../db/queries/find.ts';
import { formatDay } from '../../../domain/days.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import { type Decimal, sum, toNumber } from '../../../domain/money.ts';
import { storedDays } from '../../../domain/staff/payroll/monthly-pay.ts';
import { ratesOn } from '../../../domain/staff/payroll/rates.ts';
import { baseParts, type ContributionRow, contributionRows, sumLines } from '../../../domain/staff/payroll/sections.ts';
import { FREE_KINDS, type PayrollLine } from '../../../domain/staff/payroll/types.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { amount, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { PAYSLIP } from './payslip-data.ts';
import { payslipForm } from './payslip-form.ts';
import { PAYSLIP_TITLE } from './payslip-texts.ts';

export const payslipReport = defineReport({
  name: 'payslip',
  title: PAYSLIP_TITLE,
  description: 'The payslip of a payroll with the sections that the law asks for, as it was worked out.',
  cents: true,
  area: 'payroll',
  parameters: { payroll_id: uuid() },
  problems: ['not_found'],
  data: PAYSLIP,
  summary: Type.Object({ gross: amount(), deductions: amount(), net: amount(), employer_contributions: amount() }),
  consistent: true,
  size: async ({ reader, params }) => {
    await findPayroll(reader, params.payroll_id);
    return 1;
  },
  async read({ reader, params, settings, money }) {
    const payroll = await findPayroll(reader, params.payroll_id);
    const { terms, year, month } = payroll;
    const from = formatDay(year, month, 1);
    const rates = ratesOn(from);
    if (rates === null) throw new Error(`payroll ${payroll.id} has no rates`);
    const { contributionAccount } = await loadSettings(reader, 'payroll');
    const shownLine = ({ description, kind, amount }: PayrollLine) => ({ description, kind, amount: money(amount) });
    const shownRow = (row: ContributionRow) => ({
      name: row.name,
      base: row.base === null ? null : money(row.base),
      rate: row.rate === null ? null : Number(row.rate),
      amount: money(row.amount),
    });
    const kept = { ...payroll, days: storedDays(payroll) };
    const { monthly, extras, overtime } = baseParts(kept);
    const { company } = settings;
    return {
      from: terms.from,
      to: terms.to,
      data: {
        payroll_id: payroll.id,
        year,
        month,
        status: payroll.status,
        days: toNumber(kept.days),
        company: {
          name: company.name,
          tax_id: company.taxId,
          address: [company.address, company.zipCode, company.city].filter(Boolean).join(', ') || null,
          contribution_account: contributionAccount,
        },
        employee: {
          id: payroll.employeeId,
          code: terms.employeeCode,
          name: terms.employeeName,
          nif: terms.nif,
          social_security_number: terms.socialSecurityNumber,
          position: terms.position,
          contribution_group: terms.contributionGroup,
          hire_date: terms.hireDate,
        },
        earnings: {
          lines: payroll.lines.filter(({ kind }) => kind !== 'deduction').map(shownLine),
          free: money(sumLines(payroll.lines, ...FREE_KINDS)),
          total: money(sum([payroll.gross, sumLines(payroll.lines, ...FREE_KINDS)]).toFixed()),
        },
        deductions: {
          contributions: contributionRows(kept, 'employee', rates).map(shownRow),
          contributions_total: money(payroll.employeeContribution),
          irpf: { base: money(payroll.bases.irpf), rate: Number(payroll.irpfRate), amount: money(payroll.irpf) },
          advances: payroll.lines.filter(({ kind }) => kind === 'deduction').map(shownLine),
          in_kind: money(sumLines(payroll.lines, 'in_kind')),
          total: money(payroll.deductions),
        },
        net: money(payroll.net),
        bases: {
          ...shownAmounts({ monthly, extras, overtime }, money),
          ...shownAmounts(payroll.bases, money),
        },
        employer: {
          contributions: contributionRows(kept, 'employer', rates).map(shownRow),
          total: money(payroll.employerContribution),
        },
        drilldown: `/api/payrolls/${payroll.id}`,
      },
      summary: {
        gross: money(payroll.gross),
        deductions: money(payroll.deductions),
        net: money(payroll.net),
        employer_contributions: money(payroll.employerContribution),
      },
    };
  },
  file: (view) => ({ tables: [], forms: [payslipForm(view)] }),
});

function shownAmounts<Name extends string>(
  amounts: Readonly<Record<Name, Decimal>>,
  money: (value: Decimal) => number,
) {
  const entries = Object.entries(amounts).map(([name, value]) => [name, money(value as Decimal)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** @throws ServiceError not_found */
async function findPayroll(reader: Reader, id: string): Promise<Payroll> {
  const payroll = await findRow(reader, Payroll, { id });
  if (payroll === undefined) throw notFoundByParameter('This payroll', 'payroll_id');
  return payroll;
}
