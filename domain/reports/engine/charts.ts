/** Charts of reports, independent of what draws them. */

export interface Chart {
  readonly title: string;
  /** Names stand beside bars that lie (rows); days and months below bars that stand. */
  readonly kind: 'bar' | 'rows' | 'line' | 'pie';
  /**
   * Labels of the axis, or of the slices of a pie; rows are listed from the top; days are YYYY-MM-DD, and shown in the
   * company's format.
   */
  readonly categories: readonly string[];
  /** One value for each category; a pie has one series. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}
