/** Printed layout of model 420. */
import { BASE_RATE_TAX, BASE_TAX, columns, type FormLayout, line, lines, total } from './forms.ts';

export const FORM_420: FormLayout = {
  title: {
    es: 'Modelo 420 · Impuesto General Indirecto Canario · Autoliquidación trimestral',
    en: 'Model 420 · Canary Islands General Indirect Tax (IGIC) · Quarterly return',
  },
  groups: [
    columns(
      'IGIC devengado',
      'IGIC charged',
      BASE_RATE_TAX,
      line('Tipo cero', 'Zero rate', '01 02 03'),
      line('Tipo reducido 3 %', 'Reduced rate 3 %', '04 05 06'),
      line('Tipo reducido 5 %', 'Reduced rate 5 %', '16b 17b 18b'),
      line('Tipo general', 'General rate', '07 08 09'),
      line('Tipo incrementado 9,5 %', 'Increased rate 9.5 %', '10 11 12'),
      line('Tipo incrementado 15 %', 'Increased rate 15 %', '13 14 15'),
      line('Tipo especial', 'Special rate', '16 17 18'),
      line('Operaciones con inversión del sujeto pasivo', 'Operations under reverse charge', '19 20'),
      line('Modificación de bases y cuotas', 'Modification of bases and tax', '21 22'),
      line('Cuotas devueltas en régimen de viajeros', 'Refunded to travellers', '23 24'),
      total('Total cuotas devengadas', 'Total tax charged', '25'),
    ),
    columns(
      'IGIC deducible',
      'IGIC deducted',
      BASE_TAX,
      line('Operaciones interiores corrientes', 'Domestic current purchases', '26 27'),
      line('Operaciones interiores con bienes de inversión', 'Domestic investment goods', '28 29'),
      line('Importaciones de bienes corrientes', 'Imports of current goods', '30 31'),
      line('Importaciones de bienes de inversión', 'Imports of investment goods', '32 33'),
      line('Rectificación de deducciones', 'Rectification of deductions', '34 35'),
      line('Compensaciones régimen especial A. G. y P.', 'Compensation of the farming scheme', '36'),
      line('Regularización de bienes de inversión', 'Regularisation of investment goods', '37'),
      line('Regularización de cuotas anteriores al inicio', 'Regularisation of tax before the activity began', '38'),
      line(
        'Regularización por aplicación del porcentaje definitivo de prorrata',
        'Regularisation to the definitive pro rata',
        '39',
      ),
      total('Total cuotas deducibles', 'Total to deduct', '40'),
    ),
    lines(
      'Resultado',
      'Result',
      total('Diferencia (25 − 40)', 'Difference (25 − 40)', '41'),
      line('Regularización de cuotas de operaciones impagadas', 'Regularisation of tax on unpaid operations', '42'),
      line('Cuotas a compensar de periodos anteriores', 'Credits of earlier periods', '43'),
      line('A deducir: autoliquidaciones anteriores del periodo', 'Earlier returns of the same period', '44'),
      total('Resultado (41 + 42 − 43 − 44)', 'Result (41 + 42 − 43 − 44)', '45'),
    ),
    lines(
      'Información adicional',
      'Additional information',
      line('Exportaciones y operaciones exentas con derecho a deducción', 'Exports and exempt with deduction', '46'),
      line(
        'Operaciones no sujetas o con inversión del sujeto pasivo',
        'Not subject by their place, or under reverse charge',
        '47',
      ),
      line('Criterio de caja, entregas: base y cuota', 'Cash scheme, supplies: base and tax', '48 49'),
      line('Criterio de caja, adquisiciones: base y cuota', 'Cash scheme, acquisitions: base and tax', '50 51'),
    ),
  ],
};
