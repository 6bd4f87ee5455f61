/** Printed layout of model 349's summary. */
import { type FormLayout, lines, total } from './forms.ts';

export const FORM_349: FormLayout = {
  title: {
    es: 'Modelo 349 · Declaración recapitulativa de operaciones intracomunitarias',
    en: 'Model 349 · Operations within the Union',
  },
  groups: [
    lines(
      'Resumen de los datos incluidos en la declaración',
      'Summary',
      total('Número total de operadores intracomunitarios', 'Number of operators', '01'),
      total('Importe de las operaciones intracomunitarias', 'Total of their operations', '02'),
      total('Número total de operadores con rectificaciones', 'Number of corrections', '03'),
      total('Importe de las rectificaciones', 'Total of what is corrected', '04'),
    ),
  ],
};
