/** Printed layout of model 111. */
import { columns, type FormLayout, line, lines, total } from './forms.ts';

const HEADS = [
  { es: 'Perceptores', en: 'Recipients' },
  { es: 'Importe', en: 'Amount' },
  { es: 'Retenciones', en: 'Withheld' },
];

export const FORM_111: FormLayout = {
  title: {
    es: 'Modelo 111 · IRPF · Retenciones e ingresos a cuenta',
    en: 'Model 111 · Income tax withheld from work and activities',
  },
  groups: [
    columns(
      'I. Rendimientos del trabajo',
      'I. Income from work',
      HEADS,
      line('Rendimientos dinerarios', 'In money', '01 02 03'),
      line('Rendimientos en especie', 'In kind', '04 05 06'),
    ),
    columns(
      'II. Rendimientos de actividades económicas',
      'II. Income from activities',
      HEADS,
      line('Rendimientos dinerarios', 'In money', '07 08 09'),
      line('Rendimientos en especie', 'In kind', '10 11 12'),
    ),
    columns(
      'III. Premios',
      'III. Prizes',
      HEADS,
      line('Premios en metálico', 'In money', '13 14 15'),
      line('Premios en especie', 'In kind', '16 17 18'),
    ),
    columns(
      'IV. Aprovechamientos forestales de vecinos en montes públicos',
      'IV. Forestry in public woods',
      HEADS,
      line('Percepciones dinerarias', 'In money', '19 20 21'),
      line('Percepciones en especie', 'In kind', '22 23 24'),
    ),
    columns(
      'V. Cesión de derechos de imagen',
      'V. Image rights',
      HEADS,
      line('Contraprestaciones', 'In money or in kind', '25 26 27'),
    ),
    lines(
      'Total liquidación',
      'Settlement',
      total('Suma de retenciones e ingresos a cuenta', 'Sum of what was withheld', '28'),
      line('Resultado de anteriores autoliquidaciones del período', 'Result of earlier returns of the period', '29'),
      total('Resultado a ingresar (28 − 29)', 'To pay (28 − 29)', '30'),
    ),
  ],
};
