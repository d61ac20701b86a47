import { NativeSelect, UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../app/i18n/format.ts'
import { pageSizes } from './listState.ts'
import classes from './Pager.module.css'

/** The page numbers worth showing: the first, the last, and those around the one shown; 0 stands for a gap. */
export function pagesAround(page: number, last: number): number[] {
  const wanted = [1, page - 1, page, page + 1, last].filter((one) => one >= 1 && one <= last)
  const pages = [...new Set(wanted)].sort((a, b) => a - b)
  return pages.flatMap((one, index) => {
    const before = pages[index - 1]
    if (before === undefined || one - before === 1) return [one]
    return one - before === 2 ? [one - 1, one] : [0, one]
  })
}

interface Props {
  page: number
  size: number
  /** Rows on this page. */
  shown: number
  total: number
  /** The count stopped at `total`. */
  isCapped: boolean
  /** The cursor of the next page, when the endpoint has cursors; it goes beyond what was counted. */
  hasNext: string | null | undefined
  goTo: (page: number) => void
  setSize: (size: number) => void
}

/** Where in the list one is, and the way to its other pages. */
export function Pager({ page, size, shown, total, isCapped, hasNext, goTo, setSize }: Props) {
  const { t } = useTranslation('ui')
  const format = useFormat()
  const last = Math.max(Math.ceil(total / size), page)
  const from = (page - 1) * size + 1
  const count = isCapped ? t('list.capped', { total: format.number(total) }) : format.number(total)
  const range = t('list.range', { from: format.number(from), to: format.number(from + shown - 1), total: count })
  return (
    <nav className={classes.pager} aria-label={t('list.pages')}>
      <span>{range}</span>
      <NativeSelect
        size="xs"
        className={classes.size}
        aria-label={t('list.size')}
        value={String(size)}
        data={pageSizes.map((one) => ({ value: String(one), label: t('list.perPage', { number: one }) }))}
        onChange={(event) => setSize(Number(event.currentTarget.value))}
      />
      <span className={classes.pages}>
        <UnstyledButton
          className={classes.page}
          disabled={page === 1}
          onClick={() => goTo(page - 1)}
          aria-label={t('list.previous')}
        >
          <IconChevronLeft size={16} aria-hidden />
        </UnstyledButton>
        {pagesAround(page, last).map((one, index) =>
          one === 0 ? (
            // A gap has only its place.
            <span key={`gap${index}`} className={classes.gap}>
              …
            </span>
          ) : (
            <UnstyledButton
              key={one}
              className={classes.page}
              aria-current={one === page ? 'page' : undefined}
              aria-label={t('list.page', { page: one })}
              onClick={() => goTo(one)}
            >
              {format.number(one)}
            </UnstyledButton>
          ),
        )}
        <UnstyledButton
          className={classes.page}
          disabled={page >= last && !hasNext}
          onClick={() => goTo(page + 1)}
          aria-label={t('list.next')}
        >
          <IconChevronRight size={16} aria-hidden />
        </UnstyledButton>
      </span>
    </nav>
  )
}
