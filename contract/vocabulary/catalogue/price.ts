import { z } from 'zod'

/** The largest price and cost, in minor units: a million pesos of Colombia, which are stored with two decimals. */
export const mostPrice = 100_000_000

/**
 * Whether a machine has the wanted price of a selection and charges it: no price is wanted, the machine has confirmed it, it is on its way, the
 * machine had it and was edited afterwards, or it has it and its last sale cost another price.
 */
export const priceSyncs = ['none', 'sync', 'pending', 'editedOnDevice', 'chargedOtherwise'] as const
export const PriceSync = z.enum(priceSyncs)
export type PriceSync = z.infer<typeof PriceSync>

/** What makes a wrong price: not sent yet, reported otherwise, audited otherwise, or charged otherwise. */
export const priceFaults = ['notSent', 'reported', 'audited', 'charged'] as const
export const PriceFault = z.enum(priceFaults)
export type PriceFault = z.infer<typeof PriceFault>

/**
 * A wrong price is open until a user closes it: still wrong, or right again with a loss from its wrong sales. Without a wrong sale it ends with
 * the right price.
 */
export const wrongPriceStatuses = ['wrong', 'ended', 'closed'] as const
export const WrongPriceStatus = z.enum(wrongPriceStatuses)
export type WrongPriceStatus = z.infer<typeof WrongPriceStatus>

/** A plan of prices is planned until its last price has started or was cancelled. */
export const pricePlanStatuses = ['planned', 'started', 'cancelled'] as const
export const PricePlanStatus = z.enum(pricePlanStatuses)
export type PricePlanStatus = z.infer<typeof PricePlanStatus>

/** A planned price. `lost`: its machine was deleted or moved to another merchant. */
export const plannedPriceStatuses = ['planned', 'started', 'cancelled', 'lost'] as const
export const PlannedPriceStatus = z.enum(plannedPriceStatuses)
export type PlannedPriceStatus = z.infer<typeof PlannedPriceStatus>

/** How a price of the history changed. `device`: the machine reported another price than before. */
export const priceSources = ['edit', 'bulk', 'planogram', 'machine', 'start', 'device'] as const
export const PriceSource = z.enum(priceSources)
export type PriceSource = z.infer<typeof PriceSource>

/**
 * Why a new price needs a confirmation of its own: it is zero, the change would have taken it below zero, or the change is beyond the
 * merchant's band.
 */
export const priceWarnings = ['zero', 'clamped', 'band'] as const
export const PriceWarning = z.enum(priceWarnings)
export type PriceWarning = z.infer<typeof PriceWarning>

/** To what a raised price is rounded, in steps of the smallest shown unit: not at all, the nearest 5 or 10, or up to 5 or 10. */
export const priceRoundings = ['none', 'nearest5', 'nearest10', 'up5', 'up10'] as const
export const PriceRounding = z.enum(priceRoundings)
export type PriceRounding = z.infer<typeof PriceRounding>
