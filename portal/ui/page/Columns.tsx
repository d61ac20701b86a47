import { Box, type BoxProps, createPolymorphicComponent, getSpacing, type MantineSpacing } from '@mantine/core'
import classes from './Columns.module.css'

interface ColumnsProps extends Omit<BoxProps, 'style'> {
  /** Widths of the columns, as in `grid-template-columns`. */
  of: string
  /** The narrowest window in which they are beside each other; any, if left out. */
  from?: 'xs' | 'sm' | 'md'
  gap?: MantineSpacing
  /** The same as `gap`, if left out. */
  rowGap?: MantineSpacing
  align?: 'start' | 'center' | 'end' | 'baseline'
}

/** Columns of different widths. In a narrow window they are one below the other. `SimpleGrid` has equal ones. */
export const Columns = createPolymorphicComponent<'div', ColumnsProps>(
  ({ of, from, gap = 0, rowGap = gap, align, className, ...props }: ColumnsProps) => (
    <Box
      {...props}
      className={`${classes.columns} ${className ?? ''}`}
      style={{ '--columns': of, columnGap: getSpacing(gap), rowGap: getSpacing(rowGap), alignItems: align }}
      data-from={from}
    />
  ),
)
