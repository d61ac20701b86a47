import { z } from 'zod'

/** How far a person has come: invited by mail, come in, or kept out for now. */
export const userStatuses = ['invited', 'active', 'suspended'] as const
export const UserStatus = z.enum(userStatuses)
export type UserStatus = z.infer<typeof UserStatus>
