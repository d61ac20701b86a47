/** Kinds of products, by letter. */
export const productTypes = { A: 'hot', B: 'cold', C: 'snack', D: 'nonFood' } as const

/** Kinds of planograms, by letter: what a machine with one sells. */
export const planogramTypes = { A: 'hot', B: 'cold' } as const
