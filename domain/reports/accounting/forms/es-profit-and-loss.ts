/** The profit and loss account of small companies: its headings and their accounts (PGC PYMES, RD 1515/2007, part three). */
import { group, type Heading, heading } from '../headings.ts';

export const OPERATING: Heading = group('A', 'A) RESULTADO DE EXPLOTACIÓN', 'A) OPERATING RESULT', [
  heading('1', '1. Importe neto de la cifra de negocios', '1. Net turnover', '700 701 702 703 704 705 706 708 709'),
  heading(
    '2',
    '2. Variación de existencias de productos terminados y en curso de fabricación',
    '2. Changes in inventories of finished goods and work in progress',
    '71 6930 7930',
  ),
  heading(
    '3',
    '3. Trabajos realizados por la empresa para su activo',
    '3. Work carried out by the company for assets',
    '73',
  ),
  heading(
    '4',
    '4. Aprovisionamientos',
    '4. Supplies',
    '600 601 602 606 607 608 609 61 693 6931 6932 6933 793 7931 7932 7933',
  ),
  heading('5', '5. Otros ingresos de explotación', '5. Other operating income', '740 747 75'),
  heading('6', '6. Gastos de personal', '6. Staff costs', '64 7950 7957'),
  heading(
    '7',
    '7. Otros gastos de explotación',
    '7. Other operating expenses',
    '62 631 634 636 639 65 694 695 794 7954',
  ),
  heading('8', '8. Amortización del inmovilizado', '8. Depreciation and amortisation', '68'),
  heading(
    '9',
    '9. Imputación de subvenciones de inmovilizado no financiero y otras',
    '9. Grants for non-financial assets released',
    '746',
  ),
  heading('10', '10. Excesos de provisiones', '10. Excess provisions released', '795'),
  heading(
    '11',
    '11. Deterioro y resultado por enajenaciones del inmovilizado',
    '11. Impairment and results on disposal of fixed assets',
    '670 671 672 690 691 692 770 771 772 790 791 792',
  ),
  heading('12', '12. Otros resultados', '12. Other results', '678 778'),
]);

export const FINANCIAL: Heading = group('B', 'B) RESULTADO FINANCIERO', 'B) FINANCIAL RESULT', [
  heading('13', '13. Ingresos financieros', '13. Financial income', '760 761 762 767 769 7461'),
  heading('14', '14. Gastos financieros', '14. Financial expenses', '660 661 662 664 665 669'),
  heading(
    '15',
    '15. Variación de valor razonable en instrumentos financieros',
    '15. Changes in fair value of financial instruments',
    '663 763',
  ),
  heading('16', '16. Diferencias de cambio', '16. Exchange differences', '668 768'),
  heading(
    '17',
    '17. Deterioro y resultado por enajenaciones de instrumentos financieros',
    '17. Impairment and results on disposal of financial instruments',
    '666 667 673 675 696 697 698 699 766 773 775 796 797 798 799',
  ),
  heading('18', '18. Otros ingresos y gastos de carácter financiero', '18. Other financial income and expenses'),
]);

/** The result before tax: the sum of the two above. */
export const BEFORE_TAX: Heading = heading(
  'C',
  'C) RESULTADO ANTES DE IMPUESTOS (A + B)',
  'C) RESULT BEFORE TAX (A + B)',
);
export const INCOME_TAX: Heading = heading('19', '19. Impuestos sobre beneficios', '19. Income tax', '630 633 638');
export const RESULT_OF_YEAR: Heading = heading(
  'D',
  'D) RESULTADO DEL EJERCICIO (C + 19)',
  'D) RESULT OF THE YEAR (C + 19)',
);
