import { Box, Flex, Group, NativeSelect, Text, UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import classes from './Pager.module.css'
import { InView } from './rows/InView.tsx'
import type { View } from './rows/rowWindow.ts'
import { defaultSize, lastPageOf, mostScrolled, type PageSize, pageSizes } from './state/listState.ts'

/** The page numbers to show: the first, the last, and those around the current page; 0 stands for a gap. */
export function pagesAround(page: number, last: number): number[] {
  const candidates = [1, page - 1, page, page + 1, last].filter((one) => one >= 1 && one <= last)
  const pages = [...new Set(candidates)].sort((a, b) => a - b)
  return pages.flatMap((one, index) => {
    const before = pages[index - 1]
    if (before === undefined || one - before === 1) return [one]
    return one - before === 2 ? [one - 1, one] : [0, one]
  })
}

interface Props {
  page: number
  size: PageSize
  /** Rows on this page; in one scroll, all its rows. */
  rowCount: number
  total: number
  /** The count stopped at `total`. */
  isCapped: boolean
  /** The cursor of the next page, when the endpoint has cursors; it also leads beyond the counted rows. */
  hasNext: string | null | undefined
  goTo: (page: number) => void
  setSize: (size: PageSize) => void
  /** The visible rows of one scroll. */
  view: View
  /** Retries rows that failed to load; absent without an error. */
  retry: (() => unknown) | undefined
}

/** The position in the list, and links to its other pages. */
export function Pager(props: Props) {
  const { page, size, rowCount, total, isCapped, hasNext, goTo, setSize } = props
  const { t } = useTranslation(['ui', 'list'])
  const format = useFormat()
  const isScroll = size === 'all'
  const last = Math.max(lastPageOf(total, size), page)
  const count = isCapped ? t('list:pages.capped', { total: format.number(total) }) : format.number(total)
  const before = isScroll ? 0 : (page - 1) * size
  const sizes = pageSizes.map((one) => ({
    value: String(one),
    label: one === 'all' ? t('list:rows.all') : t('list:pages.perPage', { number: one }),
  }))
  return (
    <Flex
      component="nav"
      rowGap="near"
      columnGap="part"
      wrap="wrap"
      align="center"
      c="dimmed"
      fz="sm"
      className={`${classes.pager} no-print`}
      data-scroll={isScroll || undefined}
      aria-label={t('list:pages.of')}
    >
      {isScroll ? (
        <InView view={props.view} rowCount={rowCount} total={count} />
      ) : (
        <span>
          {t('list:pages.range', {
            from: format.number(before + 1),
            to: format.number(before + rowCount),
            total: count,
          })}
        </span>
      )}
      <NativeSelect
        size="xs"
        className={classes.size}
        aria-label={t('list:pages.size')}
        value={String(size)}
        data={sizes}
        onChange={(event) => setSize(pageSizes.find((one) => String(one) === event.currentTarget.value) ?? defaultSize)}
      />
      {props.retry && (
        <Text role="alert" span c="crit">
          {t('list:rows.failed')}{' '}
          <Box
            type="button"
            component="button"
            py="hair"
            px="tight"
            fw={600}
            td="underline"
            onClick={() => void props.retry?.()}
          >
            {t('error.retry')}
          </Box>
        </Text>
      )}
      {isScroll && (isCapped || total > mostScrolled) && (
        <span>{t('list:rows.capped', { number: format.number(rowCount) })}</span>
      )}
      {!isScroll && <PageLinks page={page} last={last} hasNext={Boolean(hasNext)} goTo={goTo} />}
    </Flex>
  )
}

interface PageLinksProps extends Pick<Props, 'page' | 'goTo'> {
  last: number
  hasNext: boolean
}

/** The previous and the next page, and those by number. */
function PageLinks({ page, last, hasNext, goTo }: PageLinksProps) {
  const { t } = useTranslation('list')
  const format = useFormat()
  return (
    <Group component="span" gap="hair" wrap="nowrap" ml="auto">
      <UnstyledButton
        className={classes.page}
        disabled={page === 1}
        onClick={() => goTo(page - 1)}
        aria-label={t('pages.previous')}
      >
        <IconChevronLeft size={16} aria-hidden />
      </UnstyledButton>
      {pagesAround(page, last).map((one, index) =>
        one === 0 ? (
          // A gap has only its position.
          <Text key={`gap${index}`} span px={3}>
            …
          </Text>
        ) : (
          <UnstyledButton
            key={one}
            className={classes.page}
            aria-current={one === page ? 'page' : undefined}
            aria-label={t('pages.page', { page: one })}
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
        aria-label={t('pages.next')}
      >
        <IconChevronRight size={16} aria-hidden />
      </UnstyledButton>
    </Group>
  )
}
