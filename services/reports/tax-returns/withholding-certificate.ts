/** Certificate of an employee's pay and tax withheld in a year, for their tax return (RIRPF, art. 108.3; decision 0207). */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { Employee } from '../../../db/models/records/people.ts';
import { findRow } from '../../../db/queries/find.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { type Form, textLine } from '../../../domain/reports/engine/forms.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { readWages } from '../../ledger/tax-returns/withheld.ts';
import { nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, type ReportRequest } from '../engine/declaration.ts';

import { PAID, totalAmounts } from './withheld.ts';

const TITLE: Texts = {
  es: 'Certificado de retenciones del IRPF',
  en: 'Certificate of income tax withheld',
};

const TEXTS = {
  payer: { es: 'Pagador', en: 'Paid by' },
  recipient: { es: 'Perceptor', en: 'Paid to' },
  nif: { es: 'NIF', en: 'Tax id' },
  name: { es: 'Apellidos y nombre o razón social', en: 'Name' },
  work: { es: 'Rendimientos del trabajo', en: 'Income from work' },
  amount: { es: 'Retribuciones dinerarias: importe íntegro', en: 'Paid in money, gross' },
  withheld: { es: 'Retenciones practicadas', en: 'Income tax withheld of it' },
  in_kind: { es: 'Retribuciones en especie: valoración', en: 'Paid in kind, valued' },
  in_kind_withheld: {
    es: 'Ingresos a cuenta, repercutidos al perceptor',
    en: 'Income tax of it, which the recipient bore',
  },
  expenses: { es: 'Gastos deducibles', en: 'Deductible expenses' },
  contributions: { es: 'Cotizaciones a la Seguridad Social', en: 'Contributions to social security' },
  signature: { es: 'Firma y sello del pagador', en: 'Signature of the payer' },
} as const satisfies Record<string, Texts>;

export const withholdingCertificate = defineReport({
  name: 'withholding-certificate',
  title: TITLE,
  description:
    'What an employee was paid in a year, by the days of the entries as in model 190, what was withheld of it, and what ' +
    'they contributed to social security. The PDF is to be signed and handed over.',
  cents: true,
  area: 'payroll',
  parameters: { employee_id: uuid(), year: Type.Optional(YEAR) },
  problems: ['not_found'],
  data: Type.Object({
    year: YEAR,
    employee: Type.Object(
      { id: uuid(), name: text({ max: 500 }), nif: nullable(text()) },
      { description: 'The recipient' },
    ),
    payer: Type.Object({ name: text({ max: 500 }), nif: text() }, { description: 'The company' }),
    ...PAID,
    drilldown: text({ max: 500, description: 'The payrolls of the year' }),
  }),
  summary: Type.Object(PAID),
  consistent: true,
  async read({ reader, params, range, settings, money }) {
    const { employee_id: id } = params;
    const employee = await findEmployee(reader, id);
    const year = params.year ?? Number(range.to.slice(0, 4)) - 1;
    const days = periodSpan({ year, period: ANNUAL });
    const amounts = totalAmounts(await readWages(reader, days, id), money);
    const { name, taxId } = settings.company;
    return {
      ...days,
      data: {
        year,
        employee: { id, name: employee.name, nif: employee.nif },
        payer: { name, nif: taxId },
        ...amounts,
        drilldown: `/api/payrolls?employeeId=${id}&year=${year}`,
      },
      summary: amounts,
    };
  },
  file: (view) => ({ tables: [], forms: [buildForm(view)] }),
});

/** @throws ServiceError not_found */
async function findEmployee(reader: Reader, id: string): Promise<Employee> {
  const employee = await findRow(reader, Employee, { id });
  if (employee === undefined) throw notFoundByParameter('This employee', 'employee_id');
  return employee;
}

type Data = Readonly<Record<keyof typeof PAID, number>> & {
  readonly year: number;
  readonly employee: { readonly name: string; readonly nif: string | null };
  readonly payer: { readonly name: string; readonly nif: string };
};

function buildForm({
  data,
  language,
  settings,
  ctx,
}: Pick<ReportRequest, 'language' | 'settings' | 'ctx'> & { readonly data: Data }): Form {
  const say = (name: keyof typeof TEXTS) => TEXTS[name][language];
  const person = (who: 'payer' | 'recipient', { name, nif }: { name: string; nif: string | null }) => ({
    title: say(who),
    lines: [textLine(say('nif'), nif), textLine(say('name'), name)],
  });
  const line = (name: keyof typeof PAID) => ({
    label: say(name),
    total: true,
    boxes: [{ number: '', value: data[name] }],
  });
  return {
    title: `${TITLE[language]} · ${data.year}`,
    groups: [
      person('payer', data.payer),
      person('recipient', data.employee),
      { title: say('work'), lines: (['amount', 'withheld', 'in_kind', 'in_kind_withheld'] as const).map(line) },
      { title: say('expenses'), lines: [line('contributions')] },
    ],
    closing: [closingText(settings, language, ctx.now), `${say('signature')}:`],
  };
}

/** Formats the place and date of issue. */
function closingText(
  { company, format }: ReportRequest['settings'],
  language: ReportRequest['language'],
  now: Date,
): string {
  const day = formatsFor(format, null).day(localDay(now, format.timezone));
  if (language === 'es') {
    const place = company.city === null ? '' : ` en ${company.city},`;
    return `Y para que conste y surta los efectos oportunos, se expide el presente certificado${place} a ${day}.`;
  }
  return `Issued${company.city === null ? '' : ` in ${company.city}`} on ${day}, to be presented wherever it is required.`;
}
