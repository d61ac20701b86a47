import { Paper } from '@mantine/core'

/** A framed part of a page or dialog. A panel inside another has the radius `inner`. */
export const Panel = Paper.withProps({ bd: '1px solid var(--line)', radius: 'lg' })
