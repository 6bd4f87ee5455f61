/** Printed layout of model 425. */

import type { RateLine } from '../../ledger/tax-returns/model303.ts';
import { OUTPUT_425 } from '../../ledger/tax-returns/model425-boxes.ts';
import {
  BASE_RATE_TAX,
  BASE_TAX,
  columns,
  type FormLayout,
  type LayoutGroup,
  type LayoutLine,
  line,
  lines,
  total,
} from './forms.ts';

function byRate(es: string, en: string, rateLines: readonly RateLine[]): LayoutLine[] {
  return rateLines.map(({ base, rate, quota }) => line(es, en, `${base} ${rate} ${quota}`));
}

const CHARGED: LayoutGroup = columns(
  'IGIC devengado',
  'IGIC charged',
  BASE_RATE_TAX,
  ...byRate('Régimen ordinario', 'Ordinary scheme', OUTPUT_425.ordinary),
  ...byRate('Régimen especial de bienes usados', 'Used goods', OUTPUT_425.usedGoods),
  ...byRate('Objetos de arte, antigüedades y objetos de colección', 'Art, antiques and collectibles', OUTPUT_425.art),
  ...byRate('Régimen especial del criterio de caja', 'Cash scheme', OUTPUT_425.cashBasis),
  ...byRate('Régimen especial de agencias de viajes', 'Travel agencies', OUTPUT_425.travel),
);

const MODIFICATIONS: LayoutGroup = columns(
  'Modificaciones y totales',
  'Modifications and totals',
  BASE_TAX,
  line('Modificación de bases y cuotas', 'Modification of bases and tax', '70 71'),
  line('Por concurso de acreedores o créditos incobrables', 'By insolvency or bad debts', '72 73'),
  line('Operaciones con inversión del sujeto pasivo', 'Operations under reverse charge', '75 76'),
  line('Cuotas devueltas en régimen de viajeros', 'Refunded to travellers', '77 78'),
  total('Total bases y cuotas devengadas', 'Total of bases and of tax charged', '74 79'),
);

const DEDUCTED: LayoutGroup = columns(
  'Deducciones',
  'Deductions',
  BASE_TAX,
  line('Operaciones interiores corrientes', 'Domestic current purchases', '80 81'),
  line('Operaciones interiores con bienes de inversión', 'Domestic investment goods', '82 83'),
  line('Importaciones de bienes corrientes', 'Imports of current goods', '84 85'),
  line('Importaciones de bienes de inversión', 'Imports of investment goods', '86 87'),
  line('Rectificación de deducciones', 'Rectification of deductions', '88 89'),
  line('Compensaciones régimen especial A. G. y P.', 'Compensation of the farming scheme', '90'),
  line('Regularización de bienes de inversión', 'Regularisation of investment goods', '91'),
  line('Regularización de cuotas anteriores al inicio', 'Regularisation of tax before the activity began', '92'),
  line('Regularización por prorrata definitiva', 'Regularisation to the definitive pro rata', '93'),
  total('Total cuotas deducibles', 'Total to deduct', '94'),
  total('Resultado del régimen general (79 − 94)', 'Result of the general scheme (79 − 94)', '95'),
);

const SETTLEMENT: LayoutGroup = lines(
  'Resultado de la liquidación anual',
  'Result of the year',
  line('Regularización cuotas art. 22.8.5ª Ley 20/1991', 'Regularisation by art. 22.8.5 of the IGIC Act', '112'),
  total('Suma de resultados', 'Sum of results', '113'),
  line('Cuota a compensar del ejercicio anterior', 'Credit of the year before', '114'),
  total('Resultado (112 + 113 − 114)', 'Result (112 + 113 − 114)', '115'),
  line('Total ingresado en las autoliquidaciones', 'Paid with the returns of the year', '116'),
  line('Devoluciones mensuales', 'Monthly refunds', '117'),
  line('A compensar en la última autoliquidación', 'Last return: to compensate', '118'),
  line('A devolver en la última autoliquidación', 'Last return: to be refunded', '119'),
);

const VOLUME: LayoutGroup = lines(
  'Operaciones del ejercicio',
  'Operations of the year',
  line('Régimen general', 'General scheme', '120'),
  line('Criterio de caja, por la regla general de devengo', 'Cash scheme, by the general rule', '121'),
  line('Exportaciones y asimiladas', 'Exports and the like', '122'),
  line('Áreas exentas', 'Exempt areas', '123'),
  line('Exentas por el art. 25 de la Ley 19/1994', 'Exempt by art. 25 of Act 19/1994', '124'),
  line('Otras exentas con derecho a deducción', 'Other exempt with deduction', '125'),
  line('Exentas sin derecho a deducción', 'Exempt without deduction', '126'),
  line('No sujetas por localización o con inversión', 'Not subject by their place, or under reverse charge', '128'),
  line('Régimen de la agricultura, ganadería y pesca', 'Farming scheme', '129'),
  line('Bienes usados, arte y antigüedades', 'Used goods, art and antiques', '130'),
  line('Agencias de viajes', 'Travel agencies', '131'),
  line('Inmuebles y operaciones financieras no habituales', 'Occasional sales of property and financial ones', '132'),
  line('Entregas de bienes de inversión', 'Sales of investment goods', '133'),
  total('Total volumen de operaciones', 'Turnover', '134'),
);

const OTHERS: LayoutGroup = lines(
  'Otra información',
  'Other information',
  line('Importaciones exentas de bienes de inversión', 'Exempt imports of investment goods', '135'),
  line('IGIC soportado no deducible', 'IGIC borne that is not deducted', '136'),
  line('Otras no sujetas con derecho a deducción', 'Others not subject, with deduction', '137'),
  line('Criterio de caja, entregas: base y cuota', 'Cash scheme, supplies: base and tax', '138 139'),
  line('Criterio de caja, adquisiciones: base y cuota', 'Cash scheme, acquisitions: base and tax', '140 141'),
);

export const FORM_425: FormLayout = {
  title: {
    es: 'Modelo 425 · Impuesto General Indirecto Canario · Declaración-resumen anual',
    en: 'Model 425 · Canary Islands General Indirect Tax (IGIC) · Annual summary',
  },
  groups: [CHARGED, MODIFICATIONS, DEDUCTED, SETTLEMENT, VOLUME, OTHERS],
  brief: true,
};
