/** The representation of payrolls for clients. */
import type { Payroll } from '../../../db/models/records/people.ts';
import { type Decimal, toNumber } from '../../../domain/money.ts';
import { PRIVATE } from '../../../domain/permissions.ts';
import type { Contributions } from '../../../domain/staff/payroll/contributions.ts';
import { storedDays } from '../../../domain/staff/payroll/monthly-pay.ts';
import type { Permissions } from '../../platform/visibility/reading.ts';

/** A stored payroll, with times as texts of the database. */
export type PayrollRow = Omit<Payroll, keyof import('objection').Model | 'tenantId'>;

/** @param permissions of the reader: without that for private data, the tax id is null */
export function payrollToJson(row: PayrollRow, permissions: Permissions) {
  const { id, employeeId, year, month, status, departmentId, terms, bases } = row;
  return {
    id,
    employeeId,
    employee: { code: terms.employeeCode, name: terms.employeeName, nif: permissions.has(PRIVATE) ? terms.nif : null },
    departmentId,
    year,
    month,
    status,
    days: toNumber(storedDays(row)),
    lines: row.lines.map(({ description, kind, amount }) => ({ description, kind, amount: toNumber(amount) })),
    gross: toNumber(row.gross),
    bases: { common: toNumber(bases.common), professional: toNumber(bases.professional), irpf: toNumber(bases.irpf) },
    employeeContributions: amounts(row.employeeContributions),
    employerContributions: amounts(row.employerContributions),
    irpfRate: toNumber(row.irpfRate),
    irpf: toNumber(row.irpf),
    deductions: toNumber(row.deductions),
    net: toNumber(row.net),
    entryId: row.entryId,
    paymentId: row.paymentId,
    createdBy: row.createdBy,
    postedAt: row.postedAt,
    cancelledAt: row.cancelledAt,
    payslipMailedAt: row.payslipMailedAt,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function amounts(contributions: Contributions): { readonly [Name in keyof Contributions]: number } {
  const entries = Object.entries(contributions).map(([name, amount]) => [name, toNumber(amount as Decimal)]);
  return Object.fromEntries(entries) as { readonly [Name in keyof Contributions]: number };
}
