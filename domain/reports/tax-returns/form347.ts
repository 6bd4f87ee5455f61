/** Printed layout of model 347's summary. */
import { type FormLayout, lines, total } from './forms.ts';

export const FORM_347: FormLayout = {
  title: {
    es: 'Modelo 347 · Declaración anual de operaciones con terceras personas',
    en: 'Model 347 · Operations with others in a year',
  },
  groups: [
    lines(
      'Resumen de los datos incluidos en la declaración',
      'Summary',
      total('Número total de personas y entidades', 'Number of people', '01'),
      total('Importe total anual de las operaciones', 'Total of their operations', '02'),
    ),
  ],
};
