/** A cash box is to be collected from this share of its capacity on, in percent. */
export const fullFromPercent = 90

/** Whether a cash box is to be collected; a box of an unknown capacity never is. Minor units. */
export const isBoxFull = ({ inBox, capacity }: { inBox: number | null; capacity: number | null }): boolean =>
  inBox !== null && capacity !== null && capacity > 0 && inBox * 100 >= capacity * fullFromPercent
