#!/usr/bin/env bash
echo "${RADARR_EVENTTYPE:-test}" "${RADARR_MOVIE_TITLE}"
