/** Printed layout of model 190's summary. */
import { type FormLayout, lines, total } from './forms.ts';

export const FORM_190: FormLayout = {
  title: {
    es: 'Modelo 190 · IRPF · Resumen anual de retenciones e ingresos a cuenta',
    en: 'Model 190 · Income tax withheld in a year',
  },
  groups: [
    lines(
      'Resumen de los datos incluidos en la declaración',
      'Summary',
      total('Número total de percepciones', 'Records of recipients', '01'),
      total('Importe total de las percepciones', 'Total paid', '02'),
      total('Importe total de las retenciones e ingresos a cuenta', 'Total withheld', '03'),
    ),
  ],
};
