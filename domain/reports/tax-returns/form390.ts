/** Printed layout of model 390. */

import {
  INPUT_390,
  type InputGroup,
  OUTPUT_390,
  type Rates,
  SURCHARGES_390,
} from '../../ledger/tax-returns/model390-boxes.ts';
import { BASE_TAX, columns, type FormLayout, type LayoutGroup, type LayoutLine, line, lines, total } from './forms.ts';

const spanish = (rate: string) => `${rate.replace('.', ',')} %`;

function byRate(es: string, en: string, rates: Rates): LayoutLine[] {
  const sorted = Object.entries(rates).toSorted(([a], [b]) => Number(a) - Number(b));
  return sorted.map(([rate, pair]) => line(`${es} ${spanish(rate)}`, `${en} ${rate} %`, pair.join(' ')));
}

const OUTPUT: LayoutGroup = columns(
  'IVA devengado',
  'VAT charged',
  BASE_TAX,
  ...byRate('Régimen ordinario', 'Ordinary scheme', OUTPUT_390.sales),
  ...byRate('Bienes usados, arte y antigüedades', 'Margin scheme', OUTPUT_390.margin),
  ...byRate('Adquisiciones intracomunitarias de bienes', 'Intra-Community goods', OUTPUT_390.intraEuGoods),
  ...byRate('Adquisiciones intracomunitarias de servicios', 'Intra-Community services', OUTPUT_390.intraEuServices),
  line('Otras operaciones con inversión del sujeto pasivo', 'Other operations under reverse charge', '27 28'),
  line('Modificación de bases y cuotas', 'Modification of bases and tax', '29 30'),
  line('Modificación por concurso de acreedores', 'Modification by insolvency', '31 32'),
  total('Total bases y cuotas', 'Total of bases and tax', '33 34'),
);

const SURCHARGE: LayoutGroup = columns(
  'Recargo de equivalencia',
  'Equivalence surcharge',
  BASE_TAX,
  ...byRate('Recargo', 'Surcharge', SURCHARGES_390),
  line('Modificación de bases y cuotas', 'Modification of bases and surcharge', '43 44'),
  line('Modificación por concurso de acreedores', 'Modification by insolvency', '45 46'),
  total('Total cuotas de IVA y recargo', 'Total of tax and surcharge', '47'),
);

const BOUGHT: Readonly<Record<InputGroup, readonly [es: string, en: string]>> = {
  current: ['Operaciones interiores corrientes', 'Domestic current purchases'],
  investment: ['Operaciones interiores con bienes de inversión', 'Domestic investment goods'],
  imports: ['Importaciones de bienes corrientes', 'Imports of current goods'],
  importedInvestment: ['Importaciones de bienes de inversión', 'Imports of investment goods'],
  intraEuGoods: ['Adquisiciones intracomunitarias de bienes corrientes', 'Intra-Community current goods'],
  intraEuInvestment: ['Adquisiciones intracomunitarias de bienes de inversión', 'Intra-Community investment goods'],
  intraEuServices: ['Adquisiciones intracomunitarias de servicios', 'Intra-Community services'],
};

const INPUT: readonly LayoutGroup[] = (Object.keys(BOUGHT) as InputGroup[]).map((group) => {
  const [es, en] = BOUGHT[group];
  const { rates, total: totals } = INPUT_390[group];
  const all = line('Total', 'Total', totals.join(' '));
  return columns(es, en, BASE_TAX, ...byRate('Tipo', 'Rate', rates), all);
});

const DEDUCTIONS: LayoutGroup = lines(
  'Otras deducciones y resultado',
  'Other deductions and result',
  line('Compensaciones régimen especial A. G. y P.', 'Compensation of the farming scheme', '60 61'),
  line('Rectificación de deducciones', 'Rectification of deductions', '639 62'),
  line('Rectificación por resolución firme o por concurso', 'Rectification by court or insolvency', '660 661'),
  line('Regularización de bienes de inversión', 'Regularisation of investment goods', '63'),
  line('Regularización por prorrata definitiva', 'Regularisation to the definitive pro rata', '522'),
  line('Otras deducciones de la suma', 'Other deductions of the sum', '513 521 652'),
  total('Suma de deducciones', 'Sum of deductions', '64'),
  total('Resultado del régimen general (47 − 64)', 'Result of the general scheme (47 − 64)', '65'),
);

const SETTLEMENT: LayoutGroup = lines(
  'Resultado de la liquidación anual',
  'Result of the year',
  line('Régimen simplificado', 'Simplified scheme', '83'),
  line('Regularización cuotas art. 80.cinco.5ª LIVA', 'Regularisation by art. 80.five.5 of the VAT Act', '658'),
  total('Suma de resultados', 'Sum of results', '84'),
  line('IVA a la importación liquidado por la Aduana', 'Import VAT assessed by customs', '659'),
  line('Compensación de cuotas del ejercicio anterior', 'Credits of the year before, applied', '85'),
  total('Resultado de la liquidación (84 + 659 − 85)', 'Result (84 + 659 − 85)', '86'),
  line('Total a ingresar en las autoliquidaciones', 'Paid with the returns of the year', '95'),
  line('Devoluciones mensuales', 'Monthly refunds', '96'),
  line('Devoluciones por elementos de transporte', 'Refunds for means of transport', '524'),
  line('A compensar en la última autoliquidación', 'Last return: to compensate', '97'),
  line('A devolver en la última autoliquidación', 'Last return: to be refunded', '98'),
  line('Cuotas del ejercicio pendientes de compensar', 'Other credits of the year not yet applied', '662'),
);

const VOLUME: LayoutGroup = lines(
  'Volumen de operaciones',
  'Volume of operations',
  line('Operaciones en régimen general', 'General scheme', '99'),
  line('Criterio de caja', 'Cash scheme', '653'),
  line('Entregas intracomunitarias exentas', 'Exempt intra-Community supplies', '103'),
  line('Exportaciones y otras exentas con derecho a deducción', 'Exports and others with deduction', '104'),
  line('Exentas sin derecho a deducción', 'Exempt without deduction', '105'),
  line('No sujetas por reglas de localización', 'Not subject by place-of-supply rules', '110'),
  line('Sujetas con inversión del sujeto pasivo', 'Subject, under reverse charge', '125'),
  line('Ventanilla única: no sujetas y sujetas', 'One-stop shop: not subject and subject', '126 127'),
  line('Operaciones intragrupo', 'Operations within a group', '128'),
  line('Régimen simplificado, A. G. y P. y recargo', 'Simplified, farming and surcharge schemes', '100 101 102'),
  line('Bienes usados y agencias de viajes', 'Second-hand goods and travel agencies', '227 228'),
  line('Inmuebles y operaciones financieras no habituales', 'Non-habitual property and finance', '106'),
  line('Entregas de bienes de inversión', 'Supplies of investment goods', '107'),
  total('Total volumen de operaciones', 'Total volume of operations', '108'),
);

const SPECIFIC: LayoutGroup = lines(
  'Operaciones específicas',
  'Specific operations',
  line('Adquisiciones interiores exentas', 'Exempt domestic purchases', '230'),
  line('Adquisiciones intracomunitarias exentas', 'Exempt intra-Community acquisitions', '109'),
  line('Importaciones exentas', 'Exempt imports', '231'),
  line('Bases de IVA soportado no deducible', 'Bases of VAT that is not deducted', '232'),
  line('Con derecho a la devolución mensual', 'Entitled to monthly refunds', '111'),
  line('Entregas interiores por operaciones triangulares', 'Domestic supplies of triangular trade', '113'),
  line('Servicios recibidos con inversión del sujeto pasivo', 'Services received under reverse charge', '523'),
  line('Criterio de caja, entregas: base y cuota', 'Cash scheme, supplies: base and tax', '654 655'),
  line('Criterio de caja, adquisiciones: base y cuota', 'Cash scheme, acquisitions: base and tax', '656 657'),
);

export const FORM_390: FormLayout = {
  title: { es: 'Modelo 390 · IVA · Declaración-resumen anual', en: 'Model 390 · Annual VAT summary' },
  groups: [OUTPUT, SURCHARGE, ...INPUT, DEDUCTIONS, SETTLEMENT, VOLUME, SPECIFIC],
  // In full it has four pages, on which most companies have a dozen lines.
  brief: true,
};
