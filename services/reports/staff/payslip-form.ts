/** The payslip on paper, following the official model. */
import { formatsFor } from '../../../domain/locale/formats.ts';
import { type Form, type FormLine, textLine } from '../../../domain/reports/engine/forms.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import type { PayslipData } from './payslip-data.ts';
import { PAYSLIP_TITLE, PAYSLIP_TEXTS as TEXTS } from './payslip-texts.ts';

type View = Pick<ReportRequest, 'language' | 'settings'> & { readonly data: PayslipData };

/** Builds the form, following the official model. */
export function payslipForm({ data, language, settings }: View): Form {
  const say = (name: keyof typeof TEXTS) => TEXTS[name][language];
  const { day: shown, number } = formatsFor(settings.format, null);
  const { company, employee, earnings, deductions, bases, employer } = data;
  const said = (name: keyof typeof TEXTS, value: string | number | null) => textLine(say(name), value);
  const money = (label: string, value: number, total = false): FormLine => ({ label, total, boxes: [box(value)] });
  const heads = [say('base'), say('rate'), say('amount')];
  const taken = (row: PayslipData['deductions']['contributions'][number]): FormLine => ({
    label: say(row.name as keyof typeof TEXTS),
    boxes: [box(row.base), { number: '', value: row.rate, kind: 'percent' }, box(row.amount)],
  });
  return {
    title: `${PAYSLIP_TITLE[language]} · ${String(data.month).padStart(2, '0')}/${data.year}`,
    notes: data.status === 'O' ? [] : [say(data.status === 'D' ? 'draft' : 'cancelled')],
    groups: [
      {
        title: say('company'),
        half: true,
        lines: [
          said('name', company.name),
          said('address', company.address),
          said('nif', company.tax_id),
          said('contributionAccount', company.contribution_account),
        ],
      },
      {
        title: say('employee'),
        half: true,
        lines: [
          said('name', employee.name),
          said('nif', employee.nif),
          said('socialSecurityNumber', employee.social_security_number),
          said('position', employee.position),
          said('contributionGroup', employee.contribution_group),
          said('hireDate', shown(employee.hire_date)),
          said('days', number(`${data.days}`)),
        ],
      },
      {
        title: say('earnings'),
        lines: [...earningLines(earnings.lines, say, money), money(say('gross'), earnings.total, true)],
      },
      {
        title: say('deductions'),
        heads,
        lines: [
          ...deductions.contributions.map(taken),
          money(say('contributionsTotal'), deductions.contributions_total, true),
          {
            label: say('irpf'),
            boxes: [
              box(deductions.irpf.base),
              { number: '', value: deductions.irpf.rate, kind: 'percent' },
              box(deductions.irpf.amount),
            ],
          },
          ...deductions.advances.map(({ description, amount }) => money(description, amount)),
          ...(deductions.in_kind === 0 ? [] : [money(say('inKindReceived'), deductions.in_kind)]),
          money(say('deductionsTotal'), deductions.total, true),
          money(say('net'), data.net, true),
        ],
      },
      {
        title: say('bases'),
        heads,
        lines: [
          money(say('monthly'), bases.monthly),
          money(say('extras'), bases.extras),
          ...(bases.overtime === 0 ? [] : [money(say('overtimePay'), bases.overtime)]),
          ...employer.contributions.map(taken),
          money(say('employerTotal'), employer.total, true),
          money(say('irpfBase'), bases.irpf),
        ],
      },
    ],
    dense: true,
    closing: [`${say('companySignature')}:`, `${say('received')}:`],
  };
}

function box(value: number | null) {
  return { number: '', value };
}

/** Lists earnings by kind, under the headings of the official model. */
function earningLines(
  lines: readonly PayslipData['earnings']['lines'][number][],
  say: (name: keyof typeof TEXTS) => string,
  money: (label: string, value: number) => FormLine,
): FormLine[] {
  const headed = {
    overtime: 'ofOvertime',
    force_majeure: 'ofOvertime',
    extra_pay: 'ofExtraPay',
    in_kind: 'ofInKind',
    expenses: 'ofExpenses',
    severance: 'ofSeverance',
  } as const;
  return lines.map(({ description, kind, amount }) => {
    const head = Object.hasOwn(headed, kind) ? say(headed[kind as keyof typeof headed]) : say('ofSalary');
    return money(`${head}: ${description}`, amount);
  });
}
