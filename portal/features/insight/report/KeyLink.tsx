import type { ReactNode } from 'react'
import { placeInMerchant, useMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Report.module.css'

/** A name that leads to what is behind it, at the row's merchant. */
export function KeyLink({
  place,
  merchantId,
  children,
}: {
  place: Place | undefined
  merchantId: string
  children: ReactNode
}) {
  const { isAll } = useMerchant()
  if (!place) return children
  return (
    <PlaceLink place={isAll ? placeInMerchant(merchantId, place) : place} className={classes.number}>
      {children}
    </PlaceLink>
  )
}
