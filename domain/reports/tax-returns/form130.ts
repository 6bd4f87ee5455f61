/** Printed layout of model 130. */
import { type FormLayout, line, lines, total } from './forms.ts';

export const FORM_130: FormLayout = {
  title: {
    es: 'Modelo 130 · IRPF · Pago fraccionado · Estimación directa',
    en: 'Model 130 · Income tax instalment · Direct assessment',
  },
  groups: [
    lines(
      'I. Actividades económicas en estimación directa (del 1 de enero al final del trimestre)',
      'I. Business activities by direct assessment (1 January to the end of the quarter)',
      line('Ingresos computables', 'Income', '01'),
      line('Gastos fiscalmente deducibles', 'Deductible expenses', '02'),
      total('Rendimiento neto (01 − 02)', 'Net income (01 − 02)', '03'),
      line('20 % del rendimiento neto', '20 % of the net income', '04'),
      line('Pagos de trimestres anteriores', 'Paid for earlier quarters', '05'),
      line('Retenciones e ingresos a cuenta soportados', 'Tax withheld by customers', '06'),
      total('Pago fraccionado previo (04 − 05 − 06)', 'Instalment before reductions (04 − 05 − 06)', '07'),
    ),
    lines(
      'II. Actividades agrícolas, ganaderas, forestales y pesqueras',
      'II. Farming, forestry and fishing',
      line('Volumen de ingresos del trimestre', 'Income of the quarter', '08'),
      line('2 % de la casilla 08', '2 % of box 08', '09'),
      line('Retenciones del trimestre', 'Tax withheld in the quarter', '10'),
      line('Pago fraccionado previo (09 − 10)', 'Instalment before reductions (09 − 10)', '11'),
    ),
    lines(
      'III. Total liquidación',
      'III. Settlement',
      total('Suma de pagos previos (07 + 11)', 'Sum of instalments (07 + 11)', '12'),
      line('Minoración por el artículo 110.3.c del Reglamento', 'Reduction by article 110.3.c', '13'),
      total('Diferencia (12 − 13)', 'Difference (12 − 13)', '14'),
      line('Resultados negativos de trimestres anteriores', 'Negative results of earlier quarters', '15'),
      line('Préstamos para la vivienda habitual', 'Loans for the home', '16'),
      total('Total (14 − 15 − 16)', 'Total (14 − 15 − 16)', '17'),
      line('Resultado de autoliquidaciones anteriores', 'Result of an earlier return', '18'),
      total('Resultado de la autoliquidación (17 − 18)', 'Result of the return (17 − 18)', '19'),
    ),
  ],
};
