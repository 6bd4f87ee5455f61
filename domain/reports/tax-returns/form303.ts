/** Printed layout of model 303. */
import { BASE_RATE_TAX, BASE_TAX, columns, type FormLayout, type LayoutGroup, line, lines, total } from './forms.ts';

const OUTPUT: LayoutGroup = columns(
  'IVA devengado',
  'VAT charged',
  BASE_RATE_TAX,
  line('Régimen general 0 %', 'General scheme 0 %', '150 151 152'),
  line('Régimen general 2 %', 'General scheme 2 %', '165 166 167'),
  line('Régimen general 4 %', 'General scheme 4 %', '01 02 03'),
  line('Régimen general 5 % / 7,5 %', 'General scheme 5 % / 7.5 %', '153 154 155'),
  line('Régimen general 10 %', 'General scheme 10 %', '04 05 06'),
  line('Régimen general 21 %', 'General scheme 21 %', '07 08 09'),
  line(
    'Adquisiciones intracomunitarias de bienes y servicios',
    'Intra-Community acquisitions of goods and services',
    '10 11',
  ),
  line('Otras operaciones con inversión del sujeto pasivo', 'Other operations under reverse charge', '12 13'),
  line('Modificación de bases y cuotas', 'Modification of bases and tax', '14 15'),
  line('Recargo de equivalencia 1,75 %', 'Equivalence surcharge 1.75 %', '156 157 158'),
  line('Recargo de equivalencia 0,5 %', 'Equivalence surcharge 0.5 %', '168 169 170'),
  line('Recargo de equivalencia, otros tipos', 'Equivalence surcharge, other rates', '16 17 18'),
  line('Recargo de equivalencia 1,4 %', 'Equivalence surcharge 1.4 %', '19 20 21'),
  line('Recargo de equivalencia 5,2 %', 'Equivalence surcharge 5.2 %', '22 23 24'),
  line('Modificación de bases y cuotas del recargo', 'Modification of bases and surcharge', '25 26'),
  total('Total cuota devengada', 'Total tax charged', '27'),
);

const INPUT: LayoutGroup = columns(
  'IVA deducible',
  'VAT deducted',
  BASE_TAX,
  line('Operaciones interiores corrientes', 'Domestic current purchases', '28 29'),
  line('Operaciones interiores con bienes de inversión', 'Domestic investment goods', '30 31'),
  line('Importaciones de bienes corrientes', 'Imports of current goods', '32 33'),
  line('Importaciones de bienes de inversión', 'Imports of investment goods', '34 35'),
  line(
    'Adquisiciones intracomunitarias de bienes y servicios corrientes',
    'Intra-Community acquisitions of current goods and services',
    '36 37',
  ),
  line(
    'Adquisiciones intracomunitarias de bienes de inversión',
    'Intra-Community acquisitions of investment goods',
    '38 39',
  ),
  line('Rectificación de deducciones', 'Rectification of deductions', '40 41'),
  line('Compensaciones régimen especial A. G. y P.', 'Compensation of the farming scheme', '42'),
  line('Regularización de bienes de inversión', 'Regularisation of investment goods', '43'),
  line(
    'Regularización por aplicación del porcentaje definitivo de prorrata',
    'Regularisation to the definitive pro rata',
    '44',
  ),
  total('Total a deducir', 'Total to deduct', '45'),
);

const INFORMATION: LayoutGroup = lines(
  'Información adicional',
  'Additional information',
  line('Entregas intracomunitarias de bienes y servicios', 'Intra-Community supplies of goods and services', '59'),
  line('Exportaciones y operaciones asimiladas', 'Exports and similar operations', '60'),
  line('Operaciones no sujetas por reglas de localización', 'Not subject by place-of-supply rules', '120'),
  line('Operaciones sujetas con inversión del sujeto pasivo', 'Subject, under reverse charge', '122'),
  line('Ventanilla única: no sujetas y sujetas', 'One-stop shop: not subject and subject', '123 124'),
  line('Criterio de caja, entregas: base y cuota', 'Cash scheme, supplies: base and tax', '62 63'),
  line('Criterio de caja, adquisiciones: base y cuota', 'Cash scheme, acquisitions: base and tax', '74 75'),
);

const RESULT: LayoutGroup = lines(
  'Resultado',
  'Result',
  total('Resultado del régimen general (27 − 45)', 'Result of the general scheme (27 − 45)', '46'),
  line('Régimen simplificado', 'Simplified scheme', '58'),
  line('Regularización cuotas art. 80.cinco.5ª LIVA', 'Regularisation by art. 80.five.5 of the VAT Act', '76'),
  total('Suma de resultados (46 + 58 + 76)', 'Sum of results (46 + 58 + 76)', '64'),
  total(
    'Atribuible a la Administración del Estado: porcentaje e importe',
    'Attributable to the State: percentage and amount',
    '65 66',
  ),
  line(
    'IVA a la importación liquidado por la Aduana pendiente de ingreso',
    'Import VAT assessed by customs and not yet paid',
    '77',
  ),
  line('Cuotas a compensar pendientes de periodos anteriores', 'Credits of earlier periods', '110'),
  line('Aplicadas en este periodo', 'Of these, applied in this period', '78'),
  line('Pendientes para periodos posteriores (110 − 78)', 'Left for later periods (110 − 78)', '87'),
  line('Regularización anual (tributación foral)', 'Annual regularisation (foral taxation)', '68'),
  line('Ajustes por autoliquidación rectificativa', 'Adjustments of a rectifying return', '108'),
  total('Resultado (66 + 77 − 78 + 68 + 108)', 'Result (66 + 77 − 78 + 68 + 108)', '69'),
  line('A deducir: ingresado por el mismo periodo', 'Paid before for the same period', '70'),
  line('Devoluciones acordadas por el mismo periodo', 'Refunds agreed for the same period', '109'),
  line('Pagos a cuenta de carburantes (modelo 319)', 'Payments on account of fuels (model 319)', '112'),
  total('Resultado de la autoliquidación', 'Result of the return', '71'),
  line('Devolución por rectificación', 'Refund of a rectifying return', '111'),
);

export const FORM_303: FormLayout = {
  title: { es: 'Modelo 303 · Impuesto sobre el Valor Añadido · Autoliquidación', en: 'Model 303 · VAT return' },
  groups: [OUTPUT, INPUT, INFORMATION, RESULT],
};

/** Parts of the form that can be requested separately. */
export const PARTS_303: Readonly<Record<'repercutido' | 'soportado' | 'regularizacion', readonly LayoutGroup[]>> = {
  repercutido: [OUTPUT, lines(INFORMATION.title.es, INFORMATION.title.en, ...INFORMATION.lines.slice(0, 5))],
  soportado: [INPUT],
  regularizacion: [RESULT],
};

/** Boxes of untaxed operations. */
export const WITHOUT_TAX_303: ReadonlySet<string> = new Set(['59', '60', '120', '122', '123']);
