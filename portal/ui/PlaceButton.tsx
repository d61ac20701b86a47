import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Place } from './list/types.ts'
import { PlaceLink } from './PlaceLink.tsx'

/** A link that looks like a button: it leads to a screen. */
export const PlaceButton = ({ place, children, ...looks }: ButtonProps & { place: Place; children: ReactNode }) => (
  <Button {...looks} renderRoot={({ ref: _ref, ...props }) => <PlaceLink {...props} place={place} />}>
    {children}
  </Button>
)
