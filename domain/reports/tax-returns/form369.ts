/** Printed layout of model 369, by the sections of the form. */
import { type FormLayout, lines, total } from './forms.ts';

export const FORM_369: FormLayout = {
  title: {
    es: 'Modelo 369 · Ventanilla única, régimen de la Unión',
    en: 'Model 369 · One-stop shop, Union scheme',
  },
  groups: [
    lines(
      'Resumen por apartados',
      'Sections',
      total('Prestaciones de servicios: base imponible', 'Services: base', '3B'),
      total('Prestaciones de servicios: cuota', 'Services: VAT', '3'),
      total('Entregas de bienes desde España: base imponible', 'Goods from Spain: base', '4B'),
      total('Entregas de bienes desde España: cuota', 'Goods from Spain: VAT', '4'),
      total('Correcciones de períodos anteriores', 'Corrections of earlier periods', '7'),
      total('A ingresar', 'To pay', '8'),
      total('A devolver por los Estados de consumo', 'To be paid back by the states of consumption', '8N'),
    ),
  ],
};
