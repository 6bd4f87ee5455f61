/** Printed layouts of models 123 and 193. */
import { type FormLayout, lines, total } from './forms.ts';

export const FORM_123: FormLayout = {
  title: {
    es: 'Modelo 123 · Retenciones sobre rendimientos del capital mobiliario',
    en: 'Model 123 · Income tax withheld from income of capital',
  },
  groups: [
    lines(
      'Número de rentas',
      'Recipients',
      total('Dividendos y otras participaciones', 'Dividends and other shares in profits', '01'),
      total('Resto de rentas', 'Other income', '02'),
      total('Total', 'Total', '03'),
    ),
    lines(
      'Base de las retenciones e ingresos a cuenta',
      'Income from which tax was withheld',
      total('Dividendos y otras participaciones', 'Dividends and other shares in profits', '04'),
      total('Resto de rentas', 'Other income', '05'),
      total('Total', 'Total', '06'),
    ),
    lines(
      'Retenciones e ingresos a cuenta',
      'Tax withheld',
      total('Dividendos y otras participaciones', 'Dividends and other shares in profits', '07'),
      total('Resto de rentas', 'Other income', '08'),
      total('Total', 'Total', '09'),
    ),
    lines(
      'Liquidación',
      'Assessment',
      total('Periodificación: ingresos de ejercicios anteriores', 'Accruals: paid in earlier years', '10'),
      total('Periodificación: regularización', 'Accruals: adjustment', '11'),
      total('Suma de retenciones y regularización', 'Tax withheld and adjustment', '12'),
      total('Resultado de anteriores declaraciones del período', 'Results of earlier returns of the period', '13'),
      total('Resultado a ingresar', 'Result to pay', '14'),
    ),
  ],
};

export const FORM_193: FormLayout = {
  title: {
    es: 'Modelo 193 · Resumen anual de retenciones sobre rendimientos del capital mobiliario',
    en: 'Model 193 · Income tax withheld from income of capital in a year',
  },
  groups: [
    lines(
      'Resumen de los datos incluidos en la declaración',
      'Summary',
      total('Número de perceptores', 'Number of recipients', '01'),
      total('Base de las retenciones e ingresos a cuenta', 'Income from which tax was withheld', '02'),
      total('Retenciones e ingresos a cuenta', 'Tax withheld', '03'),
    ),
  ],
};
