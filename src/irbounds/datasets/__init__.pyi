"""The public names of irbounds.datasets, each with the module that defines it."""

from .data_set_list import DATASETS as DATASETS
from .data_set_list import DataFile as DataFile
from .data_set_list import DataSet as DataSet
from .data_set_list import find_dataset as find_dataset
from .downloads import data_directory as data_directory
from .downloads import dataset_path as dataset_path
from .downloads import dataset_paths as dataset_paths
from .downloads import fetch as fetch
from .downloads import missing_files as missing_files
