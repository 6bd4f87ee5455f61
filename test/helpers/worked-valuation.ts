/**
 * The same eleven movements by FIFO and by average: receipts, an issue that a customer returns in part, a return to the supplier, a
 * cancelled issue, an issue below zero and the receipt that makes up for it. Every amount is to the cent.
 */

export interface WorkedMovement {
  readonly name: string;
  readonly quantity: number;
  /** Set for receipts only. */
  readonly unitCost?: number;
  /** The movement that it takes back. */
  readonly takesBack?: string;
  /** Change in value, and the value afterwards, by FIFO and by average. */
  readonly fifo: readonly [change: number, value: number];
  readonly average: readonly [change: number, value: number];
  readonly after: number;
}

export const WORKED: readonly WorkedMovement[] = [
  { name: 'R1', quantity: 100, unitCost: 10, fifo: [1000, 1000], average: [1000, 1000], after: 100 },
  { name: 'R2', quantity: 50, unitCost: 12, fifo: [600, 1600], average: [600, 1600], after: 150 },
  { name: 'S1', quantity: -120, fifo: [-1240, 360], average: [-1280, 320], after: 30 },
  { name: 'SR1', quantity: 30, takesBack: 'S1', fifo: [340, 700], average: [320, 640], after: 60 },
  { name: 'R3', quantity: 40, unitCost: 13, fifo: [520, 1220], average: [520, 1160], after: 100 },
  { name: 'PR1', quantity: -15, takesBack: 'R3', fifo: [-195, 1025], average: [-195, 965], after: 85 },
  { name: 'S2', quantity: -35, fifo: [-400, 625], average: [-397.35, 567.65], after: 50 },
  { name: 'CX', quantity: 35, takesBack: 'S2', fifo: [400, 1025], average: [397.35, 965], after: 85 },
  { name: 'S3', quantity: -70, fifo: [-830, 195], average: [-794.71, 170.29], after: 15 },
  { name: 'S4', quantity: -20, fifo: [-260, -65], average: [-227.05, -56.76], after: -5 },
  // 350.00 came in; 5.00 (FIFO) and 13.24 (average) of it is what S4 had been guessed too low.
  { name: 'R4', quantity: 25, unitCost: 14, fifo: [345, 280], average: [336.76, 280], after: 20 },
];

/** Cost of the goods sold, the same by both methods: purchases of 2,275.00 less the closing stock. */
export const WORKED_COST_OF_SALES = 1995;
