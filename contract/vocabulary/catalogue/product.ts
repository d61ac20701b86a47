import { z } from 'zod'

/** Kinds of products, by letter. */
export const productTypes = { A: 'hot', B: 'cold', C: 'snack', D: 'nonFood' } as const
export const ProductType = z.enum(['A', 'B', 'C', 'D'])
export type ProductType = z.infer<typeof ProductType>

/** Kinds of planograms, by letter: the product types of a machine. */
export const planogramTypes = { A: 'hot', B: 'cold' } as const
export const PlanogramType = z.enum(['A', 'B'])
export type PlanogramType = z.infer<typeof PlanogramType>

/** The 14 allergens of Annex II of Regulation (EU) No 1169/2011, in its order. */
export const allergens = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soybeans',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const
export const Allergen = z.enum(allergens)
export type Allergen = z.infer<typeof Allergen>
