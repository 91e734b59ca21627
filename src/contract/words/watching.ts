/** How a folder is watched. */

export const LARGE_FOLDER = 'The folder is large, so each of its directories is watched separately.'
