/** Printed layouts of models 115 and 180. */
import { type FormLayout, type LayoutLine, lines, total } from './forms.ts';

const SUMS: readonly LayoutLine[] = [
  total('Número de perceptores', 'Number of landlords', '01'),
  total('Base de las retenciones e ingresos a cuenta', 'Rents from which tax was withheld', '02'),
  total('Retenciones e ingresos a cuenta', 'Tax withheld', '03'),
];

export const FORM_115: FormLayout = {
  title: {
    es: 'Modelo 115 · Retenciones sobre arrendamientos de inmuebles urbanos',
    en: 'Model 115 · Income tax withheld from rents',
  },
  groups: [
    lines(
      'Liquidación',
      'Assessment',
      ...SUMS,
      total('Resultado de anteriores declaraciones del período', 'Results of earlier returns of the period', '04'),
      total('Resultado a ingresar', 'Result to pay', '05'),
    ),
  ],
};

export const FORM_180: FormLayout = {
  title: {
    es: 'Modelo 180 · Resumen anual de retenciones sobre arrendamientos de inmuebles urbanos',
    en: 'Model 180 · Income tax withheld from rents in a year',
  },
  groups: [lines('Resumen de los datos incluidos en la declaración', 'Summary', ...SUMS)],
};
